// Jumps on a truth value that is passed in become a guard.
func.func @f(%flag: i1, %A: memref<4xf64>) {
  cf.cond_br %flag, ^then, ^else
^then:
  %x = affine.load %A[1] : memref<4xf64>
  cf.br ^else
^else:
  return
}
