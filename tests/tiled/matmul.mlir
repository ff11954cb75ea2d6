func.func @matmul(%n: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>, %C: memref<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  affine.for %it = 0 to affine_map<()[n] -> (n ceildiv 32)>()[%n] {
    affine.for %jt = 0 to affine_map<()[n] -> (n ceildiv 32)>()[%n] {
      affine.for %kt = 0 to affine_map<()[n] -> (n ceildiv 32)>()[%n] {
        affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[n] -> (32 * it + 32, n)>(%it)[%n] {
          affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[n] -> (32 * jt + 32, n)>(%jt)[%n] {
            affine.for %k = affine_map<(kt) -> (32 * kt)>(%kt) to min affine_map<(kt)[n] -> (32 * kt + 32, n)>(%kt)[%n] {
              %v1 = affine.load %A[%i, %k] : memref<?x?xf64>
              %v2 = affine.load %B[%k, %j] : memref<?x?xf64>
              %v3 = affine.load %C[%i, %j] : memref<?x?xf64>
              affine.store %one, %C[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  return
}
