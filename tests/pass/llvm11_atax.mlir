// atax of PolyBench in the syntax of LLVM 11, with globals of a print function.
module {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.func @free(!llvm.ptr<i8>)
  func @polybench_timer_start()
  func @kernel_atax(%m: index, %n: index, %A: memref<?x?xf64, 1>, %x: memref<?xf64>, %y: memref<?xf64>,
                         %tmp: memref<?xf64>) {
    %zero = constant 0.0 : f64
    affine.for %i = 0 to %n {
      affine.store %zero, %y[%i] : memref<?xf64>
    }
    affine.for %i = 0 to %m {
      affine.store %zero, %tmp[%i] : memref<?xf64>
      affine.for %j = 0 to %n {
        %tmp_1 = affine.load %tmp[%i] : memref<?xf64>
        %a = affine.load %A[%i, %j] : memref<?x?xf64, 1>
        %x_1 = affine.load %x[%j] : memref<?xf64>
        %prod = mulf %a, %x_1 : f64
        %sum = addf %tmp_1, %prod : f64
        affine.store %sum, %tmp[%i] : memref<?xf64>
      }
      affine.for %j = 0 to %n {
        %y_1 = affine.load %y[%j] : memref<?xf64>
        %a = affine.load %A[%i, %j] : memref<?x?xf64, 1>
        %tmp_1 = affine.load %tmp[%i] : memref<?xf64>
        %prod = mulf %a, %tmp_1 : f64
        %sum = addf %y_1, %prod : f64
        affine.store %sum, %y[%j] : memref<?xf64>
      }
    }
    return
  }
}
