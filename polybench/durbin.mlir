// durbin: Levinson-Durbin recursion for a Toeplitz system          (PolyBench/C 4.2.1, linear-algebra/solvers/durbin)
//
//   y[0] = -r[0];
//   beta = 1.0;
//   alpha = -r[0];
//   for (k = 1; k < n; k++) {
//     beta = (1 - alpha * alpha) * beta;
//     sum = 0.0;
//     for (i = 0; i < k; i++)
//       sum += r[k - i - 1] * y[i];
//     alpha = -(r[k] + sum) / beta;
//     for (i = 0; i < k; i++)
//       z[i] = y[i] + alpha * y[k - i - 1];
//     for (i = 0; i < k; i++)
//       y[i] = z[i];
//     y[k] = alpha;
//   }
//
// alpha, beta and sum are local scalars, z[n] is a local array.
func.func @kernel_durbin(%n: index, %r: memref<?xf64>, %y: memref<?xf64>) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %z = memref.alloca(%n) : memref<?xf64>
  %r_1 = affine.load %r[0] : memref<?xf64>
  %neg = arith.negf %r_1 : f64
  affine.store %neg, %y[0] : memref<?xf64>
  %r_2 = affine.load %r[0] : memref<?xf64>
  %alpha = arith.negf %r_2 : f64
  %beta, %alpha_1 = affine.for %k = 1 to %n iter_args(%beta_in = %one, %alpha_in = %alpha) -> (f64, f64) {
    %prod = arith.mulf %alpha_in, %alpha_in : f64
    %diff = arith.subf %one, %prod : f64
    %prod_1 = arith.mulf %diff, %beta_in : f64
    %sum = affine.for %i = 0 to affine_map<(k) -> (k)>(%k) iter_args(%sum_in = %zero) -> (f64) {
      %r_3 = affine.load %r[%k - %i - 1] : memref<?xf64>
      %y_1 = affine.load %y[%i] : memref<?xf64>
      %prod_2 = arith.mulf %r_3, %y_1 : f64
      %sum_1 = arith.addf %sum_in, %prod_2 : f64
      affine.yield %sum_1 : f64
    }
    %r_3 = affine.load %r[%k] : memref<?xf64>
    %sum_1 = arith.addf %r_3, %sum : f64
    %neg_1 = arith.negf %sum_1 : f64
    %quot = arith.divf %neg_1, %prod_1 : f64
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %y_1 = affine.load %y[%i] : memref<?xf64>
      %y_2 = affine.load %y[%k - %i - 1] : memref<?xf64>
      %prod_2 = arith.mulf %quot, %y_2 : f64
      %sum_2 = arith.addf %y_1, %prod_2 : f64
      affine.store %sum_2, %z[%i] : memref<?xf64>
    }
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %z_1 = affine.load %z[%i] : memref<?xf64>
      affine.store %z_1, %y[%i] : memref<?xf64>
    }
    affine.store %quot, %y[%k] : memref<?xf64>
    affine.yield %prod_1, %quot : f64, f64
  }
  return
}
