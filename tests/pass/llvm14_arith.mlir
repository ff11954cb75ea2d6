// LLVM 14: `arith` and `math`, but still `func`.
#map0 = affine_map<()[s0] -> (s0 - 1)>
module attributes {llvm.data_layout = "e-m:e", llvm.target_triple = "x86_64-unknown-linux-gnu"}  {
  llvm.func @rand() -> i32
  llvm.mlir.global external @stderr() {addr_space = 0 : i32} : memref<?xi8>
  func @seidel(%arg0: i32, %arg1: i32, %arg2: memref<?x40xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %cst = arith.constant 9.000000e+00 : f64
    %0 = arith.index_cast %arg0 : i32 to index
    %1 = arith.index_cast %arg1 : i32 to index
    affine.for %arg3 = 0 to %0 {
      affine.for %arg4 = 1 to #map0()[%1] {
        affine.for %arg5 = 1 to #map0()[%1] {
          %2 = affine.load %arg2[%arg4 - 1, %arg5 - 1] : memref<?x40xf64>
          %3 = affine.load %arg2[%arg4 + 1, %arg5 + 1] : memref<?x40xf64>
          %4 = arith.addf %2, %3 : f64
          %5 = arith.divf %4, %cst : f64
          affine.store %5, %arg2[%arg4, %arg5] : memref<?x40xf64>
        }
      }
    }
    return
  }
}
