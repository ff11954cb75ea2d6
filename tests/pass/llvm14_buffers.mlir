// LLVM 12 to 20: memrefs as tensors and back, of which only one type was written.
func @buffers(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  %0 = memref.tensor_load %A : memref<8x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<8x4xf32>) {
  ^bb0(%a: f32):
    %x = arith.addf %a, %a : f32
    linalg.yield %x : f32
  } -> tensor<8x4xf32>
  memref.tensor_store %1, %B : memref<8x4xf32>
  %2 = bufferization.to_memref %1 : memref<8x4xf32>
  %3 = affine.load %2[0, 0] : memref<8x4xf32>
  return
}
