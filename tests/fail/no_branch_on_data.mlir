// What is said of branches must be about branches on data.
// OPTIONS: --branch 7=1 --branch 9=1
func.func @f(%A: memref<?xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %x = affine.load %A[0] : memref<?xf32>
  %positive = arith.cmpf ogt, %x, %zero : f32
  scf.if %positive {
    affine.store %zero, %A[1] : memref<?xf32>
  }
  return
}
