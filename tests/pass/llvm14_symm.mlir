// symm of PolyBench in the syntax of LLVM 14.
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  memref.global "private" @unused : memref<4xf64> = uninitialized
  llvm.mlir.global internal constant @str0("") {addr_space = 0 : i32}
  func @kernel_symm(%m: index, %n: index, %alpha: f64, %beta: f64, %C: memref<?x?xf64>,
                         %A: memref<?x?xf64>, %B: memref<?x?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %zero = arith.constant 0.0 : f64
    affine.for %i = 0 to %m {
      affine.for %j = 0 to %n {
        %temp2 = affine.for %k = 0 to affine_map<(i) -> (i)>(%i) iter_args(%temp2_in = %zero) -> (f64) {
          %b = affine.load %B[%i, %j] : memref<?x?xf64>
          %prod = arith.mulf %alpha, %b : f64
          %a = affine.load %A[%i, %k] : memref<?x?xf64>
          %prod_1 = arith.mulf %prod, %a : f64
          %c = affine.load %C[%k, %j] : memref<?x?xf64>
          %sum = arith.addf %c, %prod_1 : f64
          affine.store %sum, %C[%k, %j] : memref<?x?xf64>
          %b_1 = affine.load %B[%k, %j] : memref<?x?xf64>
          %a_1 = affine.load %A[%i, %k] : memref<?x?xf64>
          %prod_2 = arith.mulf %b_1, %a_1 : f64
          %sum_1 = arith.addf %temp2_in, %prod_2 : f64
          affine.yield %sum_1 : f64
        }
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %prod = arith.mulf %beta, %c : f64
        %b = affine.load %B[%i, %j] : memref<?x?xf64>
        %prod_1 = arith.mulf %alpha, %b : f64
        %a = affine.load %A[%i, %i] : memref<?x?xf64>
        %prod_2 = arith.mulf %prod_1, %a : f64
        %sum = arith.addf %prod, %prod_2 : f64
        %prod_3 = arith.mulf %alpha, %temp2 : f64
        %sum_1 = arith.addf %sum, %prod_3 : f64
        affine.store %sum_1, %C[%i, %j] : memref<?x?xf64>
      }
    }
    return
  }
}
