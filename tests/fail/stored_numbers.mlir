// Numbers that a loop stores are not followed: which was the last one is not known.
func.func @f(%n: index, %A: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %held = memref.alloca() : memref<1xindex>
  memref.store %n, %held[%c0] : memref<1xindex>
  affine.for %i = 0 to %n {
    memref.store %i, %held[%c0] : memref<1xindex>
  }
  %m = memref.load %held[%c0] : memref<1xindex>
  scf.for %i = %c0 to %m step %c1 {
    %x = memref.load %A[%i] : memref<?xf32>
  }
  return
}
