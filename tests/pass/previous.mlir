// Values that loops carry and that are the iterator of the iteration before.
func.func @previous(%n: index, %A: memref<?xf64>, %B: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // Always the iterator minus 1.
  %last = scf.for %i = %c1 to %n step %c1 iter_args(%before = %c0) -> (index) {
    %x = memref.load %A[%before] : memref<?xf64>
    memref.store %x, %A[%i] : memref<?xf64>
    scf.yield %i : index
  }
  %y = memref.load %A[%last] : memref<?xf64>
  // Not so in the first iteration.
  %end = scf.for %i = %c0 to %n step %c2 iter_args(%before = %c1) -> (index) {
    %x = memref.load %A[%before] : memref<?xf64>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  %z = memref.load %A[%end] : memref<?xf64>
  return
}
