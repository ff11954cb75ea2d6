// `memref.reshape` to and from constant inner extents: elements keep their order.
func.func @reshaped(%n: index, %A: memref<?x4x6xf64>, %shape: memref<2xindex>) {
  %B = memref.reshape %A(%shape) : (memref<?x4x6xf64>, memref<2xindex>) -> memref<?x8xf64>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 8 {
      %x = affine.load %B[3 * %i, %j] : memref<?x8xf64>
      affine.store %x, %A[%i, %j floordiv 2, 0] : memref<?x4x6xf64>
    }
  }
  return
}
