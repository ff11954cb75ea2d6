// 3mm in tiles of 32: E := A*B, F := C*D, G := E*F                      (PolyBench/C 4.2.1, linear-algebra/kernels/3mm)
//
// E, F and G are set to zero in nests of their own.
func.func @kernel_3mm(%ni: index, %nj: index, %nk: index, %nl: index, %nm: index, %E: memref<?x?xf64>,
                      %A: memref<?x?xf64>, %B: memref<?x?xf64>, %F: memref<?x?xf64>, %C: memref<?x?xf64>,
                      %D: memref<?x?xf64>, %G: memref<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %it = 0 to affine_map<()[ni] -> (ni ceildiv 32)>()[%ni] {
    affine.for %jt = 0 to affine_map<()[nj] -> (nj ceildiv 32)>()[%nj] {
      affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[ni] -> (32 * it + 32, ni)>(%it)[%ni] {
        affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nj] -> (32 * jt + 32, nj)>(%jt)[%nj] {
          affine.store %zero, %E[%i, %j] : memref<?x?xf64>
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
              %b = affine.load %B[%k, %j] : memref<?x?xf64>
              %prod = arith.mulf %a, %b : f64
              %e = affine.load %E[%i, %j] : memref<?x?xf64>
              %sum = arith.addf %e, %prod : f64
              affine.store %sum, %E[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  affine.for %it = 0 to affine_map<()[nj] -> (nj ceildiv 32)>()[%nj] {
    affine.for %jt = 0 to affine_map<()[nl] -> (nl ceildiv 32)>()[%nl] {
      affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[nj] -> (32 * it + 32, nj)>(%it)[%nj] {
        affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nl] -> (32 * jt + 32, nl)>(%jt)[%nl] {
          affine.store %zero, %F[%i, %j] : memref<?x?xf64>
        }
      }
    }
  }
  affine.for %it = 0 to affine_map<()[nj] -> (nj ceildiv 32)>()[%nj] {
    affine.for %jt = 0 to affine_map<()[nl] -> (nl ceildiv 32)>()[%nl] {
      affine.for %kt = 0 to affine_map<()[nm] -> (nm ceildiv 32)>()[%nm] {
        affine.for %i = affine_map<(it) -> (32 * it)>(%it) to min affine_map<(it)[nj] -> (32 * it + 32, nj)>(%it)[%nj] {
          affine.for %j = affine_map<(jt) -> (32 * jt)>(%jt) to min affine_map<(jt)[nl] -> (32 * jt + 32, nl)>(%jt)[%nl] {
            affine.for %k = affine_map<(kt) -> (32 * kt)>(%kt) to min affine_map<(kt)[nm] -> (32 * kt + 32, nm)>(%kt)[%nm] {
              %c = affine.load %C[%i, %k] : memref<?x?xf64>
              %d = affine.load %D[%k, %j] : memref<?x?xf64>
              %prod = arith.mulf %c, %d : f64
              %f = affine.load %F[%i, %j] : memref<?x?xf64>
              %sum = arith.addf %f, %prod : f64
              affine.store %sum, %F[%i, %j] : memref<?x?xf64>
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
          affine.store %zero, %G[%i, %j] : memref<?x?xf64>
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
              %e = affine.load %E[%i, %k] : memref<?x?xf64>
              %f = affine.load %F[%k, %j] : memref<?x?xf64>
              %prod = arith.mulf %e, %f : f64
              %g = affine.load %G[%i, %j] : memref<?x?xf64>
              %sum = arith.addf %g, %prod : f64
              affine.store %sum, %G[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  return
}
