// `vector.mask`, as `lower-vector-mask` writes it: transfers of the lanes that it lets through, in one dimension and in several.
func.func @masked(%n: index, %m: index, %A: memref<?xf32>, %C: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n step 8 {
    %left = affine.min affine_map<(d0)[s0] -> (s0 - d0, 8)>(%i)[%n]
    %mask = vector.create_mask %left : vector<8xi1>
    %x = vector.mask %mask { vector.transfer_read %A[%i], %zero {in_bounds = [true]} : memref<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
    %y = arith.addf %x, %x : vector<8xf32>
    %sum = vector.mask %mask { vector.reduction <maxnumf>, %y : vector<8xf32> into f32 } : vector<8xi1> -> f32
    vector.mask %mask { vector.transfer_write %y, %A[%i] {in_bounds = [true]} : vector<8xf32>, memref<?xf32> } : vector<8xi1>
  }
  %tile = vector.create_mask %m, %n : vector<4x8xi1>
  %x = vector.transfer_read %C[%n, %m], %zero, %tile {in_bounds = [true, true]} : memref<?x?xf32>, vector<4x8xf32>
  // The mask has the order of the array's dimensions.
  %turned = vector.constant_mask [3, 2] : vector<8x4xi1>
  vector.transfer_write %x, %C[%m, %n], %turned {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, memref<?x?xf32>
  return
}
