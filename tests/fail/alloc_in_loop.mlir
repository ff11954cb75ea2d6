func.func @f(%n: index, %first: memref<8xf64>) {
  %last = affine.for %i = 0 to %n iter_args(%before = %first) -> memref<8xf64> {
    %new = memref.alloc() : memref<8xf64>
    %x = affine.load %new[0] : memref<8xf64>
    %triangle = memref.alloca(%i) : memref<?xf64>
    affine.yield %new : memref<8xf64>
  }
  return
}
