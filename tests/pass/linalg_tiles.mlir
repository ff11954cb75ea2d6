// Tiles of `linalg` as MLIR's tiling leaves them: loops of `scf` whose last tile may be smaller.
func.func @tiles(%n: index, %A: memref<?x?xf32>, %B: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    scf.for %j = %c0 to %n step %c4 {
      %h = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
      %w = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%j)[%n]
      %a = memref.subview %A[%i, %j] [%h, %w] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      %b = memref.subview %B[%i, %j] [%h, %w] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      linalg.add ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>)
                 outs(%b : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    }
  }
  return
}
