// LLVM 11: `linalg.generic` counts its arguments, in place and in a trait.
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0)>
#trait = {
  args_in = 1,
  args_out = 1,
  indexing_maps = [#id, #column],
  iterator_types = ["parallel", "reduction"]
}
func @generic(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %s: memref<?xf32>) {
  linalg.generic {args_in = 1, args_out = 1, indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} %A, %B {
  ^bb0(%a: f32, %b: f32):
    %0 = addf %a, %b : f32
    linalg.yield %0 : f32
  } : memref<?x?xf32>, memref<?x?xf32>
  linalg.generic #trait %B, %s {
  ^bb0(%a: f32, %b: f32):
    %0 = mulf %a, %b : f32
    linalg.yield %0 : f32
  }: memref<?x?xf32>, memref<?xf32>
  return
}
