// Operations of `linalg` on memrefs, as they are: loops are written for them, also in functions that are called.
// OPTIONS: --function net
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func private @bias(%b: memref<8xf32>, %y: memref<?x8xf32>) {
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%b : memref<8xf32>) outs(%y : memref<?x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  }
  return
}
func.func @net(%x: memref<?x16xf32>, %w: memref<16x8xf32>, %b: memref<8xf32>, %y: memref<?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?x8xf32>)
  linalg.matmul ins(%x, %w : memref<?x16xf32>, memref<16x8xf32>) outs(%y : memref<?x8xf32>)
  call @bias(%b, %y) : (memref<8xf32>, memref<?x8xf32>) -> ()
  return
}
func.func @unrelated(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "test.unknown"(%t) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
