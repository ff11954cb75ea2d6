func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %big = affine.apply affine_map<(d0) -> (d0 * 9223372036854775807)>(%i)
    %x = affine.load %A[%big * 2] : memref<?xf64>
  }
  return
}
