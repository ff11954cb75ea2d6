// 2mm in tiles of 32: D := alpha*A*B*C + beta*D                         (PolyBench/C 4.2.1, linear-algebra/kernels/2mm)
//
// tmp is set to zero and D scaled in nests of their own.
func.func @kernel_2mm(%ni: index, %nj: index, %nk: index, %nl: index, %alpha: f64, %beta: f64,
                      %tmp: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>, %C: memref<?x?xf64>,
                      %D: memref<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %it = 0 to affine_map<()[ni] -> (ni ceildiv 32)>()[%ni] {
    affine.for %jt = 0 to affine_map<()[nj] -> (nj ceildiv 32)>()[%nj] {
      affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[ni] -> (32 * it + 32, ni)>(%it)[%ni] {
        affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nj] -> (32 * jt + 32, nj)>(%jt)[%nj] {
          affine.store %zero, %tmp[%i, %j] : memref<?x?xf64>
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
              %a = affine.load %A[%i, %k] : memref<?x?xf64>
              %prod = arith.mulf %alpha, %a : f64
              %b = affine.load %B[%k, %j] : memref<?x?xf64>
              %prod_1 = arith.mulf %prod, %b : f64
              %tmp_1 = affine.load %tmp[%i, %j] : memref<?x?xf64>
              %sum = arith.addf %tmp_1, %prod_1 : f64
              affine.store %sum, %tmp[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  affine.for %it = 0 to affine_map<()[ni] -> (ni ceildiv 32)>()[%ni] {
    affine.for %jt = 0 to affine_map<()[nl] -> (nl ceildiv 32)>()[%nl] {
      affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[ni] -> (32 * it + 32, ni)>(%it)[%ni] {
        affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nl] -> (32 * jt + 32, nl)>(%jt)[%nl] {
          %d = affine.load %D[%i, %j] : memref<?x?xf64>
          %prod = arith.mulf %d, %beta : f64
          affine.store %prod, %D[%i, %j] : memref<?x?xf64>
        }
      }
    }
  }
  affine.for %it = 0 to affine_map<()[ni] -> (ni ceildiv 32)>()[%ni] {
    affine.for %jt = 0 to affine_map<()[nl] -> (nl ceildiv 32)>()[%nl] {
      affine.for %kt = 0 to affine_map<()[nj] -> (nj ceildiv 32)>()[%nj] {
        affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[ni] -> (32 * it + 32, ni)>(%it)[%ni] {
          affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nl] -> (32 * jt + 32, nl)>(%jt)[%nl] {
            affine.for %k = affine_map<(kt) -> (32 * kt)>(%kt) to min affine_map<(kt)[nj] -> (32 * kt + 32, nj)>(%kt)[%nj] {
              %tmp_1 = affine.load %tmp[%i, %k] : memref<?x?xf64>
              %c = affine.load %C[%k, %j] : memref<?x?xf64>
              %prod = arith.mulf %tmp_1, %c : f64
              %d = affine.load %D[%i, %j] : memref<?x?xf64>
              %sum = arith.addf %d, %prod : f64
              affine.store %sum, %D[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  return
}
