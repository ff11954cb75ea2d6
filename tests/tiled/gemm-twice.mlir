// gemm in tiles of 32 in tiles of 128: C := alpha*A*B + beta*C            (PolyBench/C 4.2.1, linear-algebra/blas/gemm)
//
// C is scaled in a nest of its own; the loops of the product are in the order i, j, k.
func.func @kernel_gemm(%ni: index, %nj: index, %nk: index, %alpha: f64, %beta: f64, %C: memref<?x?xf64>,
                       %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  affine.for %itt = 0 to affine_map<()[ni] -> (ni ceildiv 128)>()[%ni] {
    affine.for %jtt = 0 to affine_map<()[nj] -> (nj ceildiv 128)>()[%nj] {
      affine.for %it = affine_map<(itt) -> (4 * itt)>(%itt) to min affine_map<(itt)[ni] -> (4 * itt + 4, ni ceildiv 32)>(%itt)[%ni] {
        affine.for %jt = affine_map<(jtt) -> (4 * jtt)>(%jtt) to min affine_map<(jtt)[nj] -> (4 * jtt + 4, nj ceildiv 32)>(%jtt)[%nj] {
          affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[ni] -> (32 * it + 32, ni)>(%it)[%ni] {
            affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nj] -> (32 * jt + 32, nj)>(%jt)[%nj] {
              %c = affine.load %C[%i, %j] : memref<?x?xf64>
              %prod = arith.mulf %c, %beta : f64
              affine.store %prod, %C[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  affine.for %itt = 0 to affine_map<()[ni] -> (ni ceildiv 128)>()[%ni] {
    affine.for %jtt = 0 to affine_map<()[nj] -> (nj ceildiv 128)>()[%nj] {
      affine.for %ktt = 0 to affine_map<()[nk] -> (nk ceildiv 128)>()[%nk] {
        affine.for %it = affine_map<(itt) -> (4 * itt)>(%itt) to min affine_map<(itt)[ni] -> (4 * itt + 4, ni ceildiv 32)>(%itt)[%ni] {
          affine.for %jt = affine_map<(jtt) -> (4 * jtt)>(%jtt) to min affine_map<(jtt)[nj] -> (4 * jtt + 4, nj ceildiv 32)>(%jtt)[%nj] {
            affine.for %kt = affine_map<(ktt) -> (4 * ktt)>(%ktt) to min affine_map<(ktt)[nk] -> (4 * ktt + 4, nk ceildiv 32)>(%ktt)[%nk] {
              affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[ni] -> (32 * it + 32, ni)>(%it)[%ni] {
                affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nj] -> (32 * jt + 32, nj)>(%jt)[%nj] {
                  affine.for %k = affine_map<(kt) -> (32 * kt)>(%kt) to min affine_map<(kt)[nk] -> (32 * kt + 32, nk)>(%kt)[%nk] {
                    %a = affine.load %A[%i, %k] : memref<?x?xf64>
                    %prod = arith.mulf %alpha, %a : f64
                    %b = affine.load %B[%k, %j] : memref<?x?xf64>
                    %prod_1 = arith.mulf %prod, %b : f64
                    %c = affine.load %C[%i, %j] : memref<?x?xf64>
                    %sum = arith.addf %c, %prod_1 : f64
                    affine.store %sum, %C[%i, %j] : memref<?x?xf64>
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return
}
