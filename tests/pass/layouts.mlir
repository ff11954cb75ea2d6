// Layouts: the last subscript of the program is the one along which neighbours lie side by side in memory.
func.func @layouts(%columns: memref<8x64xf32, strided<[1, 8]>>, %columns2: memref<?x?xf32, strided<[1, ?]>>,
    %apart: memref<10x20xf32, strided<[40, 2], offset: 3>>, %rows: memref<?x?xf32, strided<[?, 1], offset: ?>>,
    %parts: memref<16x16xf32, affine_map<(d0, d1) -> (d0 mod 2, 0, d0 floordiv 2, d1)>>,
    %middle: memref<4x5x6xf32, strided<[30, 1, 5]>>, %window: memref<10x4xf32, strided<[1, 1]>>, %n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to %n {
      %a = affine.load %columns[%i, %j] : memref<8x64xf32, strided<[1, 8]>>
      %b = affine.load %columns2[%i, %j] : memref<?x?xf32, strided<[1, ?]>>
      %c = affine.load %apart[%i, %j] : memref<10x20xf32, strided<[40, 2], offset: 3>>
      %d = affine.load %rows[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
      %e = affine.load %parts[%i, %j] : memref<16x16xf32, affine_map<(d0, d1) -> (d0 mod 2, 0, d0 floordiv 2, d1)>>
      %f = affine.load %middle[1, %i, %j] : memref<4x5x6xf32, strided<[30, 1, 5]>>
      %g = affine.load %window[%i, %j] : memref<10x4xf32, strided<[1, 1]>>
    }
  }
  return
}
