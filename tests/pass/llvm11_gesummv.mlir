// gesummv of PolyBench in the syntax of LLVM 11, with globals of a print function.
module {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.func @free(!llvm.ptr<i8>)
  func @polybench_timer_start()
  func @kernel_gesummv(%n: index, %alpha: f64, %beta: f64, %A: memref<?x?xf64, 1>, %B: memref<?x?xf64, 1>,
                            %tmp: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>) {
    %zero = constant 0.0 : f64
    affine.for %i = 0 to %n {
      affine.store %zero, %tmp[%i] : memref<?xf64>
      affine.store %zero, %y[%i] : memref<?xf64>
      affine.for %j = 0 to %n {
        %a = affine.load %A[%i, %j] : memref<?x?xf64, 1>
        %x_1 = affine.load %x[%j] : memref<?xf64>
        %prod = mulf %a, %x_1 : f64
        %tmp_1 = affine.load %tmp[%i] : memref<?xf64>
        %sum = addf %prod, %tmp_1 : f64
        affine.store %sum, %tmp[%i] : memref<?xf64>
        %b = affine.load %B[%i, %j] : memref<?x?xf64, 1>
        %x_2 = affine.load %x[%j] : memref<?xf64>
        %prod_1 = mulf %b, %x_2 : f64
        %y_1 = affine.load %y[%i] : memref<?xf64>
        %sum_1 = addf %prod_1, %y_1 : f64
        affine.store %sum_1, %y[%i] : memref<?xf64>
      }
      %tmp_1 = affine.load %tmp[%i] : memref<?xf64>
      %prod = mulf %alpha, %tmp_1 : f64
      %y_1 = affine.load %y[%i] : memref<?xf64>
      %prod_1 = mulf %beta, %y_1 : f64
      %sum = addf %prod, %prod_1 : f64
      affine.store %sum, %y[%i] : memref<?xf64>
    }
    return
  }
}
