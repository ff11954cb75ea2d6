// jacobi-1d of PolyBench in the syntax of LLVM 11, with globals of a print function.
module {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.func @free(!llvm.ptr<i8>)
  func @polybench_timer_start()
  func @kernel_jacobi_1d(%tsteps: index, %n: index, %A: memref<?xf64>, %B: memref<?xf64>) {
    %c0_33333 = constant 0.33333 : f64
    affine.for %t = 0 to %tsteps {
      affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        %a = affine.load %A[%i - 1] : memref<?xf64>
        %a_1 = affine.load %A[%i] : memref<?xf64>
        %sum = addf %a, %a_1 : f64
        %a_2 = affine.load %A[%i + 1] : memref<?xf64>
        %sum_1 = addf %sum, %a_2 : f64
        %prod = mulf %c0_33333, %sum_1 : f64
        affine.store %prod, %B[%i] : memref<?xf64>
      }
      affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        %b = affine.load %B[%i - 1] : memref<?xf64>
        %b_1 = affine.load %B[%i] : memref<?xf64>
        %sum = addf %b, %b_1 : f64
        %b_2 = affine.load %B[%i + 1] : memref<?xf64>
        %sum_1 = addf %sum, %b_2 : f64
        %prod = mulf %c0_33333, %sum_1 : f64
        affine.store %prod, %A[%i] : memref<?xf64>
      }
    }
    return
  }
}
