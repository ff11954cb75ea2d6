// gramschmidt: A = Q*R by modified Gram-Schmidt               (PolyBench/C 4.2.1, linear-algebra/solvers/gramschmidt)
//
//   for (k = 0; k < n; k++) {
//     nrm = 0.0;
//     for (i = 0; i < m; i++)
//       nrm += A[i][k] * A[i][k];
//     R[k][k] = sqrt(nrm);
//     for (i = 0; i < m; i++)
//       Q[i][k] = A[i][k] / R[k][k];
//     for (j = k + 1; j < n; j++) {
//       R[k][j] = 0.0;
//       for (i = 0; i < m; i++)
//         R[k][j] += Q[i][k] * A[i][j];
//       for (i = 0; i < m; i++)
//         A[i][j] = A[i][j] - Q[i][k] * R[k][j];
//     }
//   }
func.func @kernel_gramschmidt(%m: index, %n: index, %A: memref<?x?xf64>, %R: memref<?x?xf64>,
                              %Q: memref<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %k = 0 to %n {
    %nrm = affine.for %i = 0 to %m iter_args(%nrm_in = %zero) -> (f64) {
      %a = affine.load %A[%i, %k] : memref<?x?xf64>
      %a_1 = affine.load %A[%i, %k] : memref<?x?xf64>
      %prod = arith.mulf %a, %a_1 : f64
      %sum = arith.addf %nrm_in, %prod : f64
      affine.yield %sum : f64
    }
    %root = math.sqrt %nrm : f64
    affine.store %root, %R[%k, %k] : memref<?x?xf64>
    affine.for %i = 0 to %m {
      %a = affine.load %A[%i, %k] : memref<?x?xf64>
      %r = affine.load %R[%k, %k] : memref<?x?xf64>
      %quot = arith.divf %a, %r : f64
      affine.store %quot, %Q[%i, %k] : memref<?x?xf64>
    }
    affine.for %j = affine_map<(k) -> (k + 1)>(%k) to %n {
      affine.store %zero, %R[%k, %j] : memref<?x?xf64>
      affine.for %i = 0 to %m {
        %q = affine.load %Q[%i, %k] : memref<?x?xf64>
        %a = affine.load %A[%i, %j] : memref<?x?xf64>
        %prod = arith.mulf %q, %a : f64
        %r = affine.load %R[%k, %j] : memref<?x?xf64>
        %sum = arith.addf %r, %prod : f64
        affine.store %sum, %R[%k, %j] : memref<?x?xf64>
      }
      affine.for %i = 0 to %m {
        %a = affine.load %A[%i, %j] : memref<?x?xf64>
        %q = affine.load %Q[%i, %k] : memref<?x?xf64>
        %r = affine.load %R[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %q, %r : f64
        %diff = arith.subf %a, %prod : f64
        affine.store %diff, %A[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
