func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i * symbol(%n)] : memref<?xf64>
    %y = affine.load %A[%i floordiv symbol(%n)] : memref<?xf64>
    %k = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%n]
    affine.store %x, %A[%k] : memref<?xf64>
    affine.if affine_set<(d0)[s0] : (d0 * s0 - 4 >= 0)>(%i)[%n] {
      affine.store %y, %A[0] : memref<?xf64>
    }
  }
  return
}
