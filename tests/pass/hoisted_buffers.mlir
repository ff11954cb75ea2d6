// A buffer that is allocated in every iteration and never freed, as tools for synthesis write it, is hoisted.
func.func @hoisted(%A: memref<?x16xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %sum = memref.alloc() : memref<1xf32>
    affine.for %j = 0 to 16 {
      %x = affine.load %A[%i, %j] : memref<?x16xf32>
      affine.store %x, %sum[0] : memref<1xf32>
    }
  }
  return
}
