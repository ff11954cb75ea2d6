func.func @f(%n: index, %A: memref<?xf64>, %B: memref<?xf64>, %R: memref<4xmemref<?xf64>>) {
  %last = affine.for %i = 0 to %n iter_args(%current = %A) -> memref<?xf64> {
    %x = affine.load %current[%i] : memref<?xf64>
    affine.yield %B : memref<?xf64>
  }
  %y = affine.load %last[0] : memref<?xf64>
  %row = affine.load %R[0] : memref<4xmemref<?xf64>>
  return
}
