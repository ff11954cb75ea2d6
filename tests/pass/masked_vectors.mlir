// Vectors under a mask of which the length is known: the elements beyond it are not touched.
func.func @masked(%n: index, %A: memref<?xf32>, %B: memref<?x?xf32>, %C: memref<20xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<8xf32>
  %three = vector.constant_mask [3] : vector<8xi1>
  affine.for %i = 0 to %n step 8 {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%i)[%n]
    %mask = vector.create_mask %left : vector<8xi1>
    affine.prefetch %A[%i], read, locality<3>, data : memref<?xf32>
    %x = vector.maskedload %A[%i], %mask, %none : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %B[%i, %i], %mask, %x : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
    vector.maskedstore %B[%i, %n], %three, %x : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
    %y = vector.transfer_read %B[%i, %i], %zero, %mask {in_bounds = [true]} : memref<?x?xf32>, vector<8xf32>
    vector.transfer_write %y, %C[%i], %mask : vector<8xf32>, memref<20xf32>
  }
  return
}
