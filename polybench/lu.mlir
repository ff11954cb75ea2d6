// lu: A := L*U without pivoting                                        (PolyBench/C 4.2.1, linear-algebra/solvers/lu)
//
//   for (i = 0; i < n; i++) {
//     for (j = 0; j < i; j++) {
//       for (k = 0; k < j; k++)
//         A[i][j] -= A[i][k] * A[k][j];
//       A[i][j] /= A[j][j];
//     }
//     for (j = i; j < n; j++)
//       for (k = 0; k < i; k++)
//         A[i][j] -= A[i][k] * A[k][j];
//   }
func.func @kernel_lu(%n: index, %A: memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %a_1 = affine.load %A[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %a, %a_1 : f64
        %a_2 = affine.load %A[%i, %j] : memref<?x?xf64>
        %diff = arith.subf %a_2, %prod : f64
        affine.store %diff, %A[%i, %j] : memref<?x?xf64>
      }
      %a = affine.load %A[%j, %j] : memref<?x?xf64>
      %a_1 = affine.load %A[%i, %j] : memref<?x?xf64>
      %quot = arith.divf %a_1, %a : f64
      affine.store %quot, %A[%i, %j] : memref<?x?xf64>
    }
    affine.for %j = affine_map<(i) -> (i)>(%i) to %n {
      affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %a_1 = affine.load %A[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %a, %a_1 : f64
        %a_2 = affine.load %A[%i, %j] : memref<?x?xf64>
        %diff = arith.subf %a_2, %prod : f64
        affine.store %diff, %A[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
