// trisolv: solves L*x = b, L lower triangular                     (PolyBench/C 4.2.1, linear-algebra/solvers/trisolv)
//
//   for (i = 0; i < n; i++) {
//     x[i] = b[i];
//     for (j = 0; j < i; j++)
//       x[i] -= L[i][j] * x[j];
//     x[i] = x[i] / L[i][i];
//   }
func.func @kernel_trisolv(%n: index, %L: memref<?x?xf64>, %x: memref<?xf64>, %b: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %b_1 = affine.load %b[%i] : memref<?xf64>
    affine.store %b_1, %x[%i] : memref<?xf64>
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %l = affine.load %L[%i, %j] : memref<?x?xf64>
      %x_1 = affine.load %x[%j] : memref<?xf64>
      %prod = arith.mulf %l, %x_1 : f64
      %x_2 = affine.load %x[%i] : memref<?xf64>
      %diff = arith.subf %x_2, %prod : f64
      affine.store %diff, %x[%i] : memref<?xf64>
    }
    %x_1 = affine.load %x[%i] : memref<?xf64>
    %l = affine.load %L[%i, %i] : memref<?x?xf64>
    %quot = arith.divf %x_1, %l : f64
    affine.store %quot, %x[%i] : memref<?xf64>
  }
  return
}
