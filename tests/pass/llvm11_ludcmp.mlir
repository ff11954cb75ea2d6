// ludcmp of PolyBench in the syntax of LLVM 11, with globals of a print function.
module {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.func @free(!llvm.ptr<i8>)
  func @polybench_timer_start()
  func @kernel_ludcmp(%n: index, %A: memref<?x?xf64, 1>, %b: memref<?xf64>, %x: memref<?xf64>,
                           %y: memref<?xf64>) {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
        %a = affine.load %A[%i, %j] : memref<?x?xf64, 1>
        %w = affine.for %k = 0 to affine_map<(j) -> (j)>(%j) iter_args(%w_in = %a) -> (f64) {
          %a_1 = affine.load %A[%i, %k] : memref<?x?xf64, 1>
          %a_2 = affine.load %A[%k, %j] : memref<?x?xf64, 1>
          %prod = mulf %a_1, %a_2 : f64
          %diff = subf %w_in, %prod : f64
          affine.yield %diff : f64
        }
        %a_1 = affine.load %A[%j, %j] : memref<?x?xf64, 1>
        %quot = divf %w, %a_1 : f64
        affine.store %quot, %A[%i, %j] : memref<?x?xf64, 1>
      }
      affine.for %j = affine_map<(i) -> (i)>(%i) to %n {
        %a = affine.load %A[%i, %j] : memref<?x?xf64, 1>
        %w = affine.for %k = 0 to affine_map<(i) -> (i)>(%i) iter_args(%w_in = %a) -> (f64) {
          %a_1 = affine.load %A[%i, %k] : memref<?x?xf64, 1>
          %a_2 = affine.load %A[%k, %j] : memref<?x?xf64, 1>
          %prod = mulf %a_1, %a_2 : f64
          %diff = subf %w_in, %prod : f64
          affine.yield %diff : f64
        }
        affine.store %w, %A[%i, %j] : memref<?x?xf64, 1>
      }
    }
    affine.for %i = 0 to %n {
      %b_1 = affine.load %b[%i] : memref<?xf64>
      %w = affine.for %j = 0 to affine_map<(i) -> (i)>(%i) iter_args(%w_in = %b_1) -> (f64) {
        %a = affine.load %A[%i, %j] : memref<?x?xf64, 1>
        %y_1 = affine.load %y[%j] : memref<?xf64>
        %prod = mulf %a, %y_1 : f64
        %diff = subf %w_in, %prod : f64
        affine.yield %diff : f64
      }
      affine.store %w, %y[%i] : memref<?xf64>
    }
    affine.for %r = 0 to %n {
      %i = affine.apply affine_map<(r)[n] -> (n - r - 1)>(%r)[%n]
      %y_1 = affine.load %y[%i] : memref<?xf64>
      %w = affine.for %j = affine_map<(i) -> (i + 1)>(%i) to %n iter_args(%w_in = %y_1) -> (f64) {
        %a = affine.load %A[%i, %j] : memref<?x?xf64, 1>
        %x_1 = affine.load %x[%j] : memref<?xf64>
        %prod = mulf %a, %x_1 : f64
        %diff = subf %w_in, %prod : f64
        affine.yield %diff : f64
      }
      %a = affine.load %A[%i, %i] : memref<?x?xf64, 1>
      %quot = divf %w, %a : f64
      affine.store %quot, %x[%i] : memref<?xf64>
    }
    return
  }
}
