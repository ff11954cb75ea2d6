// syr2k of PolyBench in the syntax of LLVM 11, with globals of a print function.
module {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.func @free(!llvm.ptr<i8>)
  func @polybench_timer_start()
  func @kernel_syr2k(%n: index, %m: index, %alpha: f64, %beta: f64, %C: memref<?x?xf64, 1>,
                          %A: memref<?x?xf64, 1>, %B: memref<?x?xf64, 1>) {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %c = affine.load %C[%i, %j] : memref<?x?xf64, 1>
        %prod = mulf %c, %beta : f64
        affine.store %prod, %C[%i, %j] : memref<?x?xf64, 1>
      }
      affine.for %k = 0 to %m {
        affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
          %a = affine.load %A[%j, %k] : memref<?x?xf64, 1>
          %prod = mulf %a, %alpha : f64
          %b = affine.load %B[%i, %k] : memref<?x?xf64, 1>
          %prod_1 = mulf %prod, %b : f64
          %b_1 = affine.load %B[%j, %k] : memref<?x?xf64, 1>
          %prod_2 = mulf %b_1, %alpha : f64
          %a_1 = affine.load %A[%i, %k] : memref<?x?xf64, 1>
          %prod_3 = mulf %prod_2, %a_1 : f64
          %sum = addf %prod_1, %prod_3 : f64
          %c = affine.load %C[%i, %j] : memref<?x?xf64, 1>
          %sum_1 = addf %c, %sum : f64
          affine.store %sum_1, %C[%i, %j] : memref<?x?xf64, 1>
        }
      }
    }
    return
  }
}
