// OPTIONS: --name n=m --name k=i --name k=j
func.func @f(%n: index, %m: index, %k: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = %m to %k {
      %x = affine.load %A[%i + %j] : memref<?xf64>
    }
  }
  return
}
