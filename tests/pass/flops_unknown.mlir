// How many operations a complex division makes is not defined; then none are counted.
func.func @unknown(%n: index, %a: memref<?xcomplex<f32>>) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xcomplex<f32>>
    %y = complex.div %x, %x : complex<f32>
    affine.store %y, %a[%i] : memref<?xcomplex<f32>>
  }
  return
}
