// What is copied onto itself is not accessed: a tile of an array, by whatever views, and what loops over tensors insert again.
// OPTIONS: --function tiles
func.func @tiles(%a: tensor<64x32xf32>, %o: tensor<64x32xf32>, %C: memref<64x32xf32>) -> tensor<64x32xf32> {
  %r = scf.forall (%i) = (0) to (64) step (16) shared_outs(%s = %o) -> (tensor<64x32xf32>) {
    %x = tensor.extract_slice %a[%i, 0] [16, 32] [1, 1] : tensor<64x32xf32> to tensor<16x32xf32>
    %z = tensor.extract_slice %s[%i, 0] [16, 32] [1, 1] : tensor<64x32xf32> to tensor<16x32xf32>
    %t = linalg.exp ins(%x : tensor<16x32xf32>) outs(%z : tensor<16x32xf32>) -> tensor<16x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %s[%i, 0] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<64x32xf32>
    }
  }
  memref.copy %C, %C : memref<64x32xf32> to memref<64x32xf32>
  %upper = memref.subview %C[0, 0] [8, 32] [1, 1] : memref<64x32xf32> to memref<8x32xf32, strided<[32, 1]>>
  %lower = memref.subview %C[8, 0] [8, 32] [1, 1] : memref<64x32xf32> to memref<8x32xf32, strided<[32, 1], offset: 256>>
  memref.copy %upper, %lower : memref<8x32xf32, strided<[32, 1]>> to memref<8x32xf32, strided<[32, 1], offset: 256>>
  return %r : tensor<64x32xf32>
}
