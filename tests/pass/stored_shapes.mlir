// Shapes that are stored and loaded again: loops over them, and the view that has them.
func.func @reshaped(%n: index, %A: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.divsi %n, %c2 : index
  %c8 = arith.constant 8 : index
  %shape = memref.alloca() : memref<2xindex>
  memref.store %half, %shape[%c0] : memref<2xindex>
  affine.store %c8, %shape[1] : memref<2xindex>
  %rows = memref.load %shape[%c0] : memref<2xindex>
  %columns = affine.load %shape[symbol(%c1)] : memref<2xindex>
  %B = memref.reshape %A(%shape) : (memref<?x4xf32>, memref<2xindex>) -> memref<?x?xf32>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %columns step %c1 {
      %x = memref.load %B[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
