// lu in tiles of 32: A := L*U without pivoting                           (PolyBench/C 4.2.1, linear-algebra/solvers/lu)
//
// The last tile along k (kt = jt) divides by the diagonal.
func.func @kernel_lu(%n: index, %A: memref<?x?xf64>) {
  affine.for %it = 0 to affine_map<()[n] -> (n ceildiv 32)>()[%n] {
    affine.for %jt = 0 to affine_map<()[n] -> (n ceildiv 32)>()[%n] {
      affine.for %kt = 0 to min affine_map<(it, jt) -> (it + 1, jt + 1)>(%it, %jt) {
        affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[n] -> (32 * it + 32, n)>(%it)[%n] {
          affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt, i) -> (32 * jt + 32, i)>(%jt, %i) {
            affine.for %k = affine_map<(kt) -> (32 * kt)>(%kt) to min affine_map<(kt, j) -> (32 * kt + 32, j)>(%kt, %j) {
              %a = affine.load %A[%i, %k] : memref<?x?xf64>
              %a_1 = affine.load %A[%k, %j] : memref<?x?xf64>
              %prod = arith.mulf %a, %a_1 : f64
              %a_2 = affine.load %A[%i, %j] : memref<?x?xf64>
              %diff = arith.subf %a_2, %prod : f64
              affine.store %diff, %A[%i, %j] : memref<?x?xf64>
            }
            affine.if affine_set<(jt, kt) : (jt - kt == 0)>(%jt, %kt) {
              %a = affine.load %A[%j, %j] : memref<?x?xf64>
              %a_1 = affine.load %A[%i, %j] : memref<?x?xf64>
              %quot = arith.divf %a_1, %a : f64
              affine.store %quot, %A[%i, %j] : memref<?x?xf64>
            }
          }
          affine.for %j = max affine_map<(jt, i) -> (32 * jt, i)>(%jt, %i) to min affine_map<(jt)[n] -> (32 * jt + 32, n)>(%jt)[%n] {
            affine.for %k = affine_map<(kt) -> (32 * kt)>(%kt) to min affine_map<(kt, i) -> (32 * kt + 32, i)>(%kt, %i) {
              %a = affine.load %A[%i, %k] : memref<?x?xf64>
              %a_1 = affine.load %A[%k, %j] : memref<?x?xf64>
              %prod = arith.mulf %a, %a_1 : f64
              %a_2 = affine.load %A[%i, %j] : memref<?x?xf64>
              %diff = arith.subf %a_2, %prod : f64
              affine.store %diff, %A[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  return
}
