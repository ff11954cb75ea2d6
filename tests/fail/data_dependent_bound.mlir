func.func @f(%size: memref<index>, %A: memref<?xf64>) {
  %n = memref.load %size[] : memref<index>
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
  }
  return
}
