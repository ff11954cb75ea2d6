// doitgen: multiresolution analysis kernel                        (PolyBench/C 4.2.1, linear-algebra/kernels/doitgen)
//
//   for (r = 0; r < nr; r++)
//     for (q = 0; q < nq; q++) {
//       for (p = 0; p < np; p++) {
//         sum[p] = 0.0;
//         for (s = 0; s < np; s++)
//           sum[p] += A[r][q][s] * C4[s][p];
//       }
//       for (p = 0; p < np; p++)
//         A[r][q][p] = sum[p];
//     }
func.func @kernel_doitgen(%nr: index, %nq: index, %np: index, %A: memref<?x?x?xf64>, %C4: memref<?x?xf64>,
                          %sum: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %r = 0 to %nr {
    affine.for %q = 0 to %nq {
      affine.for %p = 0 to %np {
        affine.store %zero, %sum[%p] : memref<?xf64>
        affine.for %s = 0 to %np {
          %a = affine.load %A[%r, %q, %s] : memref<?x?x?xf64>
          %c4 = affine.load %C4[%s, %p] : memref<?x?xf64>
          %prod = arith.mulf %a, %c4 : f64
          %sum_1 = affine.load %sum[%p] : memref<?xf64>
          %sum_2 = arith.addf %sum_1, %prod : f64
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
