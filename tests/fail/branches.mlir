func.func @f(%F: memref<4xi1>, %A: memref<4xf64>) {
  %flag = affine.load %F[0] : memref<4xi1>
  cf.cond_br %flag, ^then, ^else
^then:
  %x = affine.load %A[1] : memref<4xf64>
  cf.br ^else
^else:
  return
}
