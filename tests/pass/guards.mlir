// affine.if: conjunctions, equalities, else branches, symbols, mod; a guard outside of all loops.
func.func @guards(%n: index, %m: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - d0 - 2 >= 0)>(%i)[%m] {
      %x = affine.load %A[%i] : memref<?xf64>
      affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) {
        affine.store %x, %A[%i - 1] : memref<?xf64>
      } else {
        affine.store %x, %A[%i + 1] : memref<?xf64>
      }
    } else {
      %y = affine.load %A[0] : memref<?xf64>
    }
  }
  %z = affine.if affine_set<()[s0, s1] : (s0 - s1 == 0)>()[%n, %m] -> f64 {
    %y = affine.load %A[symbol(%n) - 1] : memref<?xf64>
    affine.yield %y : f64
  } else {
    %zero = arith.constant 0.0 : f64
    affine.yield %zero : f64
  }
  affine.store %z, %A[0] : memref<?xf64>
  return
}
