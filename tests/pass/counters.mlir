// Counters and arrays that loops carry along.
func.func @counters(%A: memref<?xf32>, %B: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  // 5, 7, 9, …
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c5) -> (index) {
    %x = memref.load %A[%k] : memref<?xf32>
    %next = arith.addi %k, %c2 : index
    scf.yield %next : index
  }
  %last = memref.load %A[%r] : memref<?xf32>
  // n - 1, n - 2, … in steps of the iterator
  %top = arith.subi %n, %c1 : index
  %d = affine.for %i = 3 to %n step 4 iter_args(%k = %top) -> (index) {
    %x = memref.load %A[%k] : memref<?xf32>
    %next = affine.apply affine_map<(d0) -> (d0 - 1)>(%k)
    affine.yield %next : index
  }
  // An array that is passed on as it is.
  %m = scf.for %i = %c0 to %n step %c1 iter_args(%a = %B) -> (memref<64xf32>) {
    %x = memref.load %a[%c5] : memref<64xf32>
    memref.store %x, %a[%c0] : memref<64xf32>
    scf.yield %a : memref<64xf32>
  }
  %z = memref.load %m[%c1] : memref<64xf32>
  return
}
