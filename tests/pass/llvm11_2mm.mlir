// 2mm of PolyBench in the syntax of LLVM 11, with globals of a print function.
module {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.func @free(!llvm.ptr<i8>)
  func @polybench_timer_start()
  func @kernel_2mm(%ni: index, %nj: index, %nk: index, %nl: index, %alpha: f64, %beta: f64,
                        %tmp: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>, %C: memref<?x?xf64>,
                        %D: memref<?x?xf64>) {
    %zero = constant 0.0 : f64
    affine.for %i = 0 to %ni {
      affine.for %j = 0 to %nj {
        affine.store %zero, %tmp[%i, %j] : memref<?x?xf64>
        affine.for %k = 0 to %nk {
          %a = affine.load %A[%i, %k] : memref<?x?xf64>
          %prod = mulf %alpha, %a : f64
          %b = affine.load %B[%k, %j] : memref<?x?xf64>
          %prod_1 = mulf %prod, %b : f64
          %tmp_1 = affine.load %tmp[%i, %j] : memref<?x?xf64>
          %sum = addf %tmp_1, %prod_1 : f64
          affine.store %sum, %tmp[%i, %j] : memref<?x?xf64>
        }
      }
    }
    affine.for %i = 0 to %ni {
      affine.for %j = 0 to %nl {
        %d = affine.load %D[%i, %j] : memref<?x?xf64>
        %prod = mulf %d, %beta : f64
        affine.store %prod, %D[%i, %j] : memref<?x?xf64>
        affine.for %k = 0 to %nj {
          %tmp_1 = affine.load %tmp[%i, %k] : memref<?x?xf64>
          %c = affine.load %C[%k, %j] : memref<?x?xf64>
          %prod_1 = mulf %tmp_1, %c : f64
          %d_1 = affine.load %D[%i, %j] : memref<?x?xf64>
          %sum = addf %d_1, %prod_1 : f64
          affine.store %sum, %D[%i, %j] : memref<?x?xf64>
        }
      }
    }
    return
  }
}
