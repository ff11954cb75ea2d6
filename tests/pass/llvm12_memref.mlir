// LLVM 12 and 13: memory has its own dialect, arithmetic not yet.
module attributes {llvm.data_layout = "e-m:e-p270:32:32"}  {
  memref.global "private" constant @table : memref<4xf64> = dense<[1.0, 2.0, 3.0, 4.0]>
  func @kernel(%arg0: i32, %arg1: memref<?x20xf64>) attributes {llvm.linkage = #llvm.linkage<external>}  {
    %c0_i32 = constant 0 : i32
    %true = constant true
    %cst = constant 0.000000e+00 : f64
    %0 = memref.get_global @table : memref<4xf64>
    %1 = memref.alloca() : memref<1xf64>
    %2 = index_cast %arg0 : i32 to index
    %3 = cmpi sgt, %arg0, %c0_i32 : i32
    scf.if %3 {
      affine.for %arg2 = 0 to %2 {
        affine.store %cst, %1[0] : memref<1xf64>
        affine.for %arg3 = 0 to 20 {
          %4 = affine.load %arg1[%arg2, %arg3] : memref<?x20xf64>
          %5 = affine.load %0[%arg3 mod 4] : memref<4xf64>
          %6 = mulf %4, %5 : f64
          %7 = affine.load %1[0] : memref<1xf64>
          %8 = addf %7, %6 : f64
          affine.store %8, %1[0] : memref<1xf64>
        }
        %9 = affine.load %1[0] : memref<1xf64>
        %10 = math.sqrt %9 : f64
        affine.store %10, %arg1[%arg2, 0] : memref<?x20xf64>
      }
    }
    return
  }
}
