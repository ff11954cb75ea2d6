// 3mm: E := A*B, F := C*D, G := E*F                                   (PolyBench/C 4.2.1, linear-algebra/kernels/3mm)
//
//   for (i = 0; i < ni; i++)
//     for (j = 0; j < nj; j++) {
//       E[i][j] = 0.0;
//       for (k = 0; k < nk; ++k)
//         E[i][j] += A[i][k] * B[k][j];
//     }
//   for (i = 0; i < nj; i++)
//     for (j = 0; j < nl; j++) {
//       F[i][j] = 0.0;
//       for (k = 0; k < nm; ++k)
//         F[i][j] += C[i][k] * D[k][j];
//     }
//   for (i = 0; i < ni; i++)
//     for (j = 0; j < nl; j++) {
//       G[i][j] = 0.0;
//       for (k = 0; k < nj; ++k)
//         G[i][j] += E[i][k] * F[k][j];
//     }
func.func @kernel_3mm(%ni: index, %nj: index, %nk: index, %nl: index, %nm: index, %E: memref<?x?xf64>,
                      %A: memref<?x?xf64>, %B: memref<?x?xf64>, %F: memref<?x?xf64>, %C: memref<?x?xf64>,
                      %D: memref<?x?xf64>, %G: memref<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nj {
      affine.store %zero, %E[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %nk {
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %b = affine.load %B[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %a, %b : f64
        %e = affine.load %E[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %e, %prod : f64
        affine.store %sum, %E[%i, %j] : memref<?x?xf64>
      }
    }
  }
  affine.for %i = 0 to %nj {
    affine.for %j = 0 to %nl {
      affine.store %zero, %F[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %nm {
        %c = affine.load %C[%i, %k] : memref<?x?xf64>
        %d = affine.load %D[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %c, %d : f64
        %f = affine.load %F[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %f, %prod : f64
        affine.store %sum, %F[%i, %j] : memref<?x?xf64>
      }
    }
  }
  affine.for %i = 0 to %ni {
    affine.for %j = 0 to %nl {
      affine.store %zero, %G[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %nj {
        %e = affine.load %E[%i, %k] : memref<?x?xf64>
        %f = affine.load %F[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %e, %f : f64
        %g = affine.load %G[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %g, %prod : f64
        affine.store %sum, %G[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
