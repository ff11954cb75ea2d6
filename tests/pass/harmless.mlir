// Operations of real programs that touch no element of an array.
func.func @harmless(%A: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %ok = arith.cmpi sge, %n, %c0 : index
  cf.assert %ok, "a size"
  affine.for %i = 0 to %n step 8 {
    %v = affine.vector_load %A[%i] : memref<?xf32>, vector<8xf32>
    %m = vector.shape_cast %v : vector<8xf32> to vector<2x4xf32>
    %t = vector.transpose %m, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    vector.print %t : vector<4x2xf32>
    %s = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
    %mask = vector.create_mask %n : vector<4xi1>
    %z = vector.step : vector<4xindex>
    vector.print str "done"
  }
  %p = memref.extract_aligned_pointer_as_index %A : memref<?xf32> -> index
  return
}
