// doitgen of PolyBench in the syntax of LLVM 11, with globals of a print function.
module {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.func @free(!llvm.ptr<i8>)
  func @polybench_timer_start()
  func @kernel_doitgen(%nr: index, %nq: index, %np: index, %A: memref<?x?x?xf64>, %C4: memref<?x?xf64, 1>,
                            %sum: memref<?xf64>) {
    %zero = constant 0.0 : f64
    affine.for %r = 0 to %nr {
      affine.for %q = 0 to %nq {
        affine.for %p = 0 to %np {
          affine.store %zero, %sum[%p] : memref<?xf64>
          affine.for %s = 0 to %np {
            %a = affine.load %A[%r, %q, %s] : memref<?x?x?xf64>
            %c4 = affine.load %C4[%s, %p] : memref<?x?xf64, 1>
            %prod = mulf %a, %c4 : f64
            %sum_1 = affine.load %sum[%p] : memref<?xf64>
            %sum_2 = addf %sum_1, %prod : f64
            affine.store %sum_2, %sum[%p] : memref<?xf64>
          }
        }
        affine.for %p = 0 to %np {
          %sum_1 = affine.load %sum[%p] : memref<?xf64>
          affine.store %sum_1, %A[%r, %q, %p] : memref<?x?x?xf64>
        }
      }
    }
    return
  }
}
