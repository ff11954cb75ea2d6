// trisolv of PolyBench in the syntax of LLVM 14.
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  memref.global "private" @unused : memref<4xf64> = uninitialized
  llvm.mlir.global internal constant @str0("") {addr_space = 0 : i32}
  func @kernel_trisolv(%n: index, %L: memref<?x?xf64>, %x: memref<?xf64>, %b: memref<?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    affine.for %i = 0 to %n {
      %b_1 = affine.load %b[%i] : memref<?xf64>
      affine.store %b_1, %x[%i] : memref<?xf64>
      affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
        %l = affine.load %L[%i, %j] : memref<?x?xf64>
        %x_1 = affine.load %x[%j] : memref<?xf64>
        %prod = arith.mulf %l, %x_1 : f64
        %x_2 = affine.load %x[%i] : memref<?xf64>
        %diff = arith.subf %x_2, %prod : f64
        affine.store %diff, %x[%i] : memref<?xf64>
      }
      %x_1 = affine.load %x[%i] : memref<?xf64>
      %l = affine.load %L[%i, %i] : memref<?x?xf64>
      %quot = arith.divf %x_1, %l : f64
      affine.store %quot, %x[%i] : memref<?xf64>
    }
    return
  }
}
