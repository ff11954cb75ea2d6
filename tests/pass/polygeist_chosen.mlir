// OPTIONS: --function kernel_copy
// `main` cannot be parsed, but it is not the function that was asked for.
module attributes {llvm.data_layout = "e-m:e"} {
  llvm.func @free(!llvm.ptr<i8>)
  func.func @main(%arg0: i32, %arg1: !llvm.ptr<ptr<i8>>) -> i32 attributes {llvm.linkage = #llvm.linkage<external>} {
    %0 = polygeist.memref2pointer %arg1 : memref<?xf64> to !llvm.ptr<f64>
    return %arg0 : i32
  }
  func.func @kernel_copy(%n: i32, %from: memref<?xf32>, %to: memref<?xf32>) {
    %0 = arith.index_cast %n : i32 to index
    affine.for %i = 0 to %0 {
      %1 = affine.load %from[%i] : memref<?xf32>
      affine.store %1, %to[%i] : memref<?xf32>
    }
    return
  }
}
