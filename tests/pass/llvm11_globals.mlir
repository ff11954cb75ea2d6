// LLVM 11: globals of `std`, and an update in place.
global_memref "private" constant @weights : memref<16xf32> = dense<1.0>
global_memref @unused : memref<2xf32> = uninitialized
func @globals(%n: index, %A: memref<?xf32>) {
  %w = get_global_memref @weights : memref<16xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %w[%i mod 16] : memref<16xf32>
    %y = atomic_rmw "addf" %x, %A[%i] : (f32, memref<?xf32>) -> f32
  }
  return
}
