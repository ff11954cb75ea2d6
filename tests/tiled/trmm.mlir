func.func @trmm(%m: index, %n: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  affine.for %it = 0 to affine_map<()[m] -> (m ceildiv 32)>()[%m] {
    affine.for %jt = 0 to affine_map<()[n] -> (n ceildiv 32)>()[%n] {
      affine.for %kt = affine_map<(it) -> (it)>(%it) to affine_map<()[m] -> (m ceildiv 32)>()[%m] {
        affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[m] -> (32 * it + 32, m)>(%it)[%m] {
          affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[n] -> (32 * jt + 32, n)>(%jt)[%n] {
            affine.for %k = max affine_map<(kt, i) -> (32 * kt, i + 1)>(%kt, %i) to min affine_map<(kt)[m] -> (32 * kt + 32, m)>(%kt)[%m] {
              %v1 = affine.load %A[%k, %i] : memref<?x?xf64>
              %v2 = affine.load %B[%k, %j] : memref<?x?xf64>
              %v3 = affine.load %B[%i, %j] : memref<?x?xf64>
              affine.store %one, %B[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  affine.for %it = 0 to affine_map<()[m] -> (m ceildiv 32)>()[%m] {
    affine.for %jt = 0 to affine_map<()[n] -> (n ceildiv 32)>()[%n] {
      affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[m] -> (32 * it + 32, m)>(%it)[%m] {
        affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[n] -> (32 * jt + 32, n)>(%jt)[%n] {
          %v4 = affine.load %B[%i, %j] : memref<?x?xf64>
          affine.store %one, %B[%i, %j] : memref<?x?xf64>
        }
      }
    }
  }
  return
}
