// bicg: s := A'*r, q := A*p                                          (PolyBench/C 4.2.1, linear-algebra/kernels/bicg)
//
//   for (i = 0; i < m; i++)
//     s[i] = 0;
//   for (i = 0; i < n; i++) {
//     q[i] = 0.0;
//     for (j = 0; j < m; j++) {
//       s[j] = s[j] + r[i] * A[i][j];
//       q[i] = q[i] + A[i][j] * p[j];
//     }
//   }
func.func @kernel_bicg(%m: index, %n: index, %A: memref<?x?xf64>, %s: memref<?xf64>, %q: memref<?xf64>,
                       %p: memref<?xf64>, %r: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %m {
    affine.store %zero, %s[%i] : memref<?xf64>
  }
  affine.for %i = 0 to %n {
    affine.store %zero, %q[%i] : memref<?xf64>
    affine.for %j = 0 to %m {
      %s_1 = affine.load %s[%j] : memref<?xf64>
      %r_1 = affine.load %r[%i] : memref<?xf64>
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %prod = arith.mulf %r_1, %a : f64
      %sum = arith.addf %s_1, %prod : f64
      affine.store %sum, %s[%j] : memref<?xf64>
      %q_1 = affine.load %q[%i] : memref<?xf64>
      %a_1 = affine.load %A[%i, %j] : memref<?x?xf64>
      %p_1 = affine.load %p[%j] : memref<?xf64>
      %prod_1 = arith.mulf %a_1, %p_1 : f64
      %sum_1 = arith.addf %q_1, %prod_1 : f64
      affine.store %sum_1, %q[%i] : memref<?xf64>
    }
  }
  return
}
