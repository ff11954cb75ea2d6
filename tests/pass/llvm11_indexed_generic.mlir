// LLVM 11: `linalg.indexed_generic`, of which the first arguments are the iterators; attributes with a type.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func @indexed(%A: memref<?x?xf32>, %B: memref<?xi32>) {
  linalg.indexed_generic {args_in = 1 : i64, args_out = 1 : i64, indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} %A, %B {
  ^bb0(%i: index, %j: index, %a: f32, %b: i32):
    %0 = addi %i, %j : index
    %1 = index_cast %0 : index to i32
    %2 = addi %1, %b : i32
    linalg.yield %2 : i32
  }: memref<?x?xf32>, memref<?xi32>
  return
}
