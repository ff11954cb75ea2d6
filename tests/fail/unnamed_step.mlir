// An argument without a name of its own is given no value by --assume before anything is read: no hint says so.
func.func @f(%arg0: memref<1024xf32>, %arg1: index) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1024 : index
  scf.for %i = %c0 to %n step %arg1 {
    %v = memref.load %arg0[%i] : memref<1024xf32>
  }
  return
}
