func.func private @norm(memref<?xf64>) -> f64
func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %x = func.call @norm(%A) : (memref<?xf64>) -> f64
    affine.store %x, %A[%i] : memref<?xf64>
  }
  return
}
