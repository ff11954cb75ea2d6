// lu of PolyBench in the syntax of LLVM 14.
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  memref.global "private" @unused : memref<4xf64> = uninitialized
  llvm.mlir.global internal constant @str0("") {addr_space = 0 : i32}
  func @kernel_lu(%n: index, %A: memref<?x?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
        affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
          %a = affine.load %A[%i, %k] : memref<?x?xf64>
          %a_1 = affine.load %A[%k, %j] : memref<?x?xf64>
          %prod = arith.mulf %a, %a_1 : f64
          %a_2 = affine.load %A[%i, %j] : memref<?x?xf64>
          %diff = arith.subf %a_2, %prod : f64
          affine.store %diff, %A[%i, %j] : memref<?x?xf64>
        }
        %a = affine.load %A[%j, %j] : memref<?x?xf64>
        %a_1 = affine.load %A[%i, %j] : memref<?x?xf64>
        %quot = arith.divf %a_1, %a : f64
        affine.store %quot, %A[%i, %j] : memref<?x?xf64>
      }
      affine.for %j = affine_map<(i) -> (i)>(%i) to %n {
        affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
          %a = affine.load %A[%i, %k] : memref<?x?xf64>
          %a_1 = affine.load %A[%k, %j] : memref<?x?xf64>
          %prod = arith.mulf %a, %a_1 : f64
          %a_2 = affine.load %A[%i, %j] : memref<?x?xf64>
          %diff = arith.subf %a_2, %prod : f64
          affine.store %diff, %A[%i, %j] : memref<?x?xf64>
        }
      }
    }
    return
  }
}
