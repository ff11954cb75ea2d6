// Subscripts with mod, floordiv, ceildiv and affine.apply; a product by a constant that is an operand.
#tile = affine_map<(d0)[s0] -> (d0 * s0 + 1)>
func.func @subscripts(%n: index, %A: memref<?x?xf32>, %B: memref<?xf32>) {
  %four = arith.constant 4 : index
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i floordiv 8, %i mod 8] : memref<?x?xf32>
    %b = affine.load %A[%i ceildiv 3, -%i + symbol(%n) - 1] : memref<?x?xf32>
    %k = affine.apply #tile(%i)[%four]
    affine.store %a, %B[%k + 2] : memref<?xf32>
    %half = affine.apply affine_map<(d0, d1) -> ((d0 + d1) floordiv 2)>(%i, %k)
    affine.store %b, %B[%half] : memref<?xf32>
  }
  return
}
