// Arrays: arguments, allocations, globals, casts (the same array), scalars in memory; element sizes; layouts.
memref.global "private" @table : memref<4x8xi16> = uninitialized
memref.global @unused : memref<f64>
func.func @arrays(%n: index, %bits: memref<?xi1>, %odd: memref<?xi24>, %long: memref<?xindex>,
                  %strided: memref<10x20xf32, strided<[40, 2], offset: 5>>,
                  %tiled: memref<8x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>>) -> memref<16xf64> {
  %scalar = memref.alloca() : memref<f64>
  %local = memref.alloc() : memref<16xf64>
  %alloc = memref.alloc(%n) : memref<?xf16>
  %same = memref.cast %local : memref<16xf64> to memref<?xf64>
  %g = memref.get_global @table : memref<4x8xi16>
  affine.for %i = 0 to %n {
    %a = affine.load %bits[%i] : memref<?xi1>
    %b = affine.load %odd[%i] : memref<?xi24>
    %c = affine.load %long[%i] : memref<?xindex>
    %d = affine.load %strided[%i, 0] : memref<10x20xf32, strided<[40, 2], offset: 5>>
    %e = affine.load %tiled[%i, 0] : memref<8x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>>
    %f = affine.load %scalar[] : memref<f64>
    affine.store %f, %local[%i] : memref<16xf64>
    %x = memref.load %same[%i] : memref<?xf64>
    %aligned = memref.assume_alignment %same, 64 : memref<?xf64>
    affine.store %x, %aligned[0] : memref<?xf64>
    %h = affine.load %alloc[%i] : memref<?xf16>
    %g1 = affine.load %g[0, %i] : memref<4x8xi16>
  }
  %g2 = memref.get_global @table : memref<4x8xi16>
  %y = affine.load %g2[1, 2] : memref<4x8xi16>
  memref.dealloc %alloc : memref<?xf16>
  return %local : memref<16xf64>
}
