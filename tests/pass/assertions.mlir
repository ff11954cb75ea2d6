// What a program asserts of its sizes is a condition of the model: here n is at most 16.
func.func @assertions(%A: memref<?xf32>, %B: memref<?xf32>, %n: index) {
  %c16 = arith.constant 16 : index
  %most = arith.minsi %n, %c16 : index
  %whole = arith.cmpi eq, %most, %n : index
  cf.assert %whole, "nothing may be cut off"
  scf.for %i = %c16 to %n step %c16 {
    %x = memref.load %A[%i] : memref<?xf32>
  }
  affine.for %i = 0 to %most {
    %x = affine.load %A[%i] : memref<?xf32>
    affine.store %x, %B[%i] : memref<?xf32>
  }
  return
}
