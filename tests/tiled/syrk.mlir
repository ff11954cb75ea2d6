func.func @syrk(%n: index, %m: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  affine.for %it = 0 to affine_map<()[n] -> (n ceildiv 32)>()[%n] {
    affine.for %jt = 0 to affine_map<(it) -> (it + 1)>(%it) {
      affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[n] -> (32 * it + 32, n)>(%it)[%n] {
        affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt, i) -> (32 * jt + 32, i + 1)>(%jt, %i) {
          %v1 = affine.load %C[%i, %j] : memref<?x?xf64>
          affine.store %one, %C[%i, %j] : memref<?x?xf64>
        }
      }
    }
  }
  affine.for %it = 0 to affine_map<()[n] -> (n ceildiv 32)>()[%n] {
    affine.for %jt = 0 to affine_map<(it) -> (it + 1)>(%it) {
      affine.for %kt = 0 to affine_map<()[m] -> (m ceildiv 32)>()[%m] {
        affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[n] -> (32 * it + 32, n)>(%it)[%n] {
          affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt, i) -> (32 * jt + 32, i + 1)>(%jt, %i) {
            affine.for %k = affine_map<(kt) -> (32 * kt)>(%kt) to min affine_map<(kt)[m] -> (32 * kt + 32, m)>(%kt)[%m] {
              %v2 = affine.load %A[%i, %k] : memref<?x?xf64>
              %v3 = affine.load %A[%j, %k] : memref<?x?xf64>
              %v4 = affine.load %C[%i, %j] : memref<?x?xf64>
              affine.store %one, %C[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  return
}
