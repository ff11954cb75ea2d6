func.func @f(%n: index, %flag: i1, %A: memref<64x64xf64>, %B: memref<64xf64>, %bytes: memref<512xi8>, %D: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to %n {
    %chosen = arith.select %flag, %B, %B : memref<64xf64>
    %x = affine.load %chosen[%i] : memref<64xf64>
    %view = memref.view %bytes[%c0][] : memref<512xi8> to memref<64xf64>
    affine.store %x, %view[%i] : memref<64xf64>
    affine.store %x, %view[%i + 1] : memref<64xf64>
    %strided = memref.subview %A[0, 0] [1, 4] [1, %n] : memref<64x64xf64> to memref<4xf64, strided<[?]>>
    affine.store %x, %strided[%i] : memref<4xf64, strided<[?]>>
    %flat = memref.collapse_shape %D [[0, 1]] : memref<?x?xf64> into memref<?xf64>
    affine.store %x, %flat[%i] : memref<?xf64>
    %cast = memref.reinterpret_cast %D to offset: [0], sizes: [64], strides: [1] : memref<?x?xf64> to memref<64xf64, strided<[1]>>
    affine.store %x, %cast[%i] : memref<64xf64, strided<[1]>>
    %square = arith.muli %i, %i : index
    %far = memref.subview %B[%square] [4] [1] : memref<64xf64> to memref<4xf64, strided<[1], offset: ?>>
    affine.store %x, %far[%i] : memref<4xf64, strided<[1], offset: ?>>
    %base, %offset, %size, %stride = memref.extract_strided_metadata %B : memref<64xf64> -> memref<f64>, index, index, index
    affine.store %x, %base[] : memref<f64>
  }
  return
}
