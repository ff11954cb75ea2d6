// OPTIONS: --passes 'func.func(affine-loop-tile{tile-size=8})'
// Tiling by MLIR: what a pass makes has no name in the source.
func.func @tiled(%n: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
      affine.store %x, %B[%j, %i] : memref<?x?xf64>
    }
  }
  return
}
