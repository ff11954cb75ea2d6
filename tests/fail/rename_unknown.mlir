// OPTIONS: --name p0=n --name m=mod --name siz=s
func.func @f(%size: index, %m: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %size {
    affine.for %j = 0 to %m {
      %x = affine.load %A[%i + %j] : memref<?xf64>
    }
  }
  return
}
