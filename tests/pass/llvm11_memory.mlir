// LLVM 11: allocations, casts and views of `std`.
func @memory(%n: index) {
  %c0 = constant 0 : index
  %c1 = constant 1 : index
  %x = constant 1.0 : f32
  %A = alloc(%n) : memref<?xf32>
  %B = alloca() : memref<32xf32>
  %C = memref_cast %B : memref<32xf32> to memref<?xf32>
  %m = dim %C, %c0 : memref<?xf32>
  %size = dim %A, 0 : memref<?xf32>
  %V = subview %B[4][16][1] : memref<32xf32> to memref<16xf32, offset: 4, strides: [1]>
  assume_alignment %A, 16 : memref<?xf32>
  scf.for %i = %c0 to %m step %c1 {
    store %x, %C[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %size step %c1 {
    store %x, %A[%i] : memref<?xf32>
  }
  affine.for %i = 0 to 16 {
    affine.store %x, %V[%i] : memref<16xf32, offset: 4, strides: [1]>
  }
  dealloc %A : memref<?xf32>
  return
}
