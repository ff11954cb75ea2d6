// trmm of PolyBench in the syntax of LLVM 11, with globals of a print function.
module {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.func @free(!llvm.ptr<i8>)
  func @polybench_timer_start()
  func @kernel_trmm(%m: index, %n: index, %alpha: f64, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
    affine.for %i = 0 to %m {
      affine.for %j = 0 to %n {
        affine.for %k = affine_map<(i) -> (i + 1)>(%i) to %m {
          %a = affine.load %A[%k, %i] : memref<?x?xf64>
          %b = affine.load %B[%k, %j] : memref<?x?xf64>
          %prod = mulf %a, %b : f64
          %b_1 = affine.load %B[%i, %j] : memref<?x?xf64>
          %sum = addf %b_1, %prod : f64
          affine.store %sum, %B[%i, %j] : memref<?x?xf64>
        }
        %b = affine.load %B[%i, %j] : memref<?x?xf64>
        %prod = mulf %alpha, %b : f64
        affine.store %prod, %B[%i, %j] : memref<?x?xf64>
      }
    }
    return
  }
}
