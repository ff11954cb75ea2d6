// Transfers: elements outside of the array are not touched, a broadcast touches its element once, a permutation orders
// the elements as the vector has them.
func.func @transfers(%n: index, %A: memref<?x?xf64>, %B: memref<16xf64>, %C: memref<4x4xf64>) {
  %pad = arith.constant 0.0 : f64
  affine.for %i = 0 to %n step 2 {
    %x = vector.transfer_read %A[%i, %i], %pad {in_bounds = [true]} : memref<?x?xf64>, vector<2xf64>
    %y = vector.transfer_read %A[%i, %i], %pad : memref<?x?xf64>, vector<2xf64>
    vector.transfer_write %y, %B[%i] : vector<2xf64>, memref<16xf64>
    %one = vector.transfer_read %B[%i], %pad {permutation_map = affine_map<(d0) -> (0)>} : memref<16xf64>, vector<4xf64>
  }
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %t = vector.transfer_read %C[%c0, %c0], %pad {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<4x4xf64>, vector<2x2xf64>
  %edge = vector.transfer_read %C[%c0, %c3], %pad : memref<4x4xf64>, vector<2xf64>
  return
}
