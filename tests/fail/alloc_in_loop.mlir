func.func @f(%n: index) {
  affine.for %i = 0 to %n {
    %row = memref.alloc(%n) : memref<?xf64>
    affine.for %j = 0 to %n {
      %x = affine.load %row[%j] : memref<?xf64>
    }
    %triangle = memref.alloca(%i) : memref<?xf64>
  }
  return
}
