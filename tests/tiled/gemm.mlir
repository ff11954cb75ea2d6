func.func @gemm(%ni: index, %nj: index, %nk: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  affine.for %it = 0 to affine_map<()[ni] -> (ni ceildiv 32)>()[%ni] {
    affine.for %jt = 0 to affine_map<()[nj] -> (nj ceildiv 32)>()[%nj] {
      affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[ni] -> (32 * it + 32, ni)>(%it)[%ni] {
        affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nj] -> (32 * jt + 32, nj)>(%jt)[%nj] {
          %v1 = affine.load %C[%i, %j] : memref<?x?xf64>
          affine.store %one, %C[%i, %j] : memref<?x?xf64>
        }
      }
    }
  }
  affine.for %it = 0 to affine_map<()[ni] -> (ni ceildiv 32)>()[%ni] {
    affine.for %jt = 0 to affine_map<()[nj] -> (nj ceildiv 32)>()[%nj] {
      affine.for %kt = 0 to affine_map<()[nk] -> (nk ceildiv 32)>()[%nk] {
        affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[ni] -> (32 * it + 32, ni)>(%it)[%ni] {
          affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nj] -> (32 * jt + 32, nj)>(%jt)[%nj] {
            affine.for %k = affine_map<(kt) -> (32 * kt)>(%kt) to min affine_map<(kt)[nk] -> (32 * kt + 32, nk)>(%kt)[%nk] {
              %v2 = affine.load %A[%i, %k] : memref<?x?xf64>
              %v3 = affine.load %B[%k, %j] : memref<?x?xf64>
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
