// ludcmp: solves A*x = b by LU decomposition and substitution      (PolyBench/C 4.2.1, linear-algebra/solvers/ludcmp)
//
//   for (i = 0; i < n; i++) {
//     for (j = 0; j < i; j++) {
//       w = A[i][j];
//       for (k = 0; k < j; k++)
//         w -= A[i][k] * A[k][j];
//       A[i][j] = w / A[j][j];
//     }
//     for (j = i; j < n; j++) {
//       w = A[i][j];
//       for (k = 0; k < i; k++)
//         w -= A[i][k] * A[k][j];
//       A[i][j] = w;
//     }
//   }
//   for (i = 0; i < n; i++) {
//     w = b[i];
//     for (j = 0; j < i; j++)
//       w -= A[i][j] * y[j];
//     y[i] = w;
//   }
//   for (i = n - 1; i >= 0; i--) {
//     w = y[i];
//     for (j = i + 1; j < n; j++)
//       w -= A[i][j] * x[j];
//     x[i] = w / A[i][i];
//   }
func.func @kernel_ludcmp(%n: index, %A: memref<?x?xf64>, %b: memref<?xf64>, %x: memref<?xf64>,
                         %y: memref<?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %w = affine.for %k = 0 to affine_map<(j) -> (j)>(%j) iter_args(%w_in = %a) -> (f64) {
        %a_1 = affine.load %A[%i, %k] : memref<?x?xf64>
        %a_2 = affine.load %A[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %a_1, %a_2 : f64
        %diff = arith.subf %w_in, %prod : f64
        affine.yield %diff : f64
      }
      %a_1 = affine.load %A[%j, %j] : memref<?x?xf64>
      %quot = arith.divf %w, %a_1 : f64
      affine.store %quot, %A[%i, %j] : memref<?x?xf64>
    }
    affine.for %j = affine_map<(i) -> (i)>(%i) to %n {
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %w = affine.for %k = 0 to affine_map<(i) -> (i)>(%i) iter_args(%w_in = %a) -> (f64) {
        %a_1 = affine.load %A[%i, %k] : memref<?x?xf64>
        %a_2 = affine.load %A[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %a_1, %a_2 : f64
        %diff = arith.subf %w_in, %prod : f64
        affine.yield %diff : f64
      }
      affine.store %w, %A[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %n {
    %b_1 = affine.load %b[%i] : memref<?xf64>
    %w = affine.for %j = 0 to affine_map<(i) -> (i)>(%i) iter_args(%w_in = %b_1) -> (f64) {
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %y_1 = affine.load %y[%j] : memref<?xf64>
      %prod = arith.mulf %a, %y_1 : f64
      %diff = arith.subf %w_in, %prod : f64
      affine.yield %diff : f64
    }
    affine.store %w, %y[%i] : memref<?xf64>
  }
  affine.for %r = 0 to %n {
    %i = affine.apply affine_map<(r)[n] -> (n - r - 1)>(%r)[%n]
    %y_1 = affine.load %y[%i] : memref<?xf64>
    %w = affine.for %j = affine_map<(i) -> (i + 1)>(%i) to %n iter_args(%w_in = %y_1) -> (f64) {
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %x_1 = affine.load %x[%j] : memref<?xf64>
      %prod = arith.mulf %a, %x_1 : f64
      %diff = arith.subf %w_in, %prod : f64
      affine.yield %diff : f64
    }
    %a = affine.load %A[%i, %i] : memref<?x?xf64>
    %quot = arith.divf %w, %a : f64
    affine.store %quot, %x[%i] : memref<?xf64>
  }
  return
}
