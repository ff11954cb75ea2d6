// A barrier waits, and accesses nothing.
func.func @barriers(%A: memref<64xf32>, %B: memref<64xf32>) {
  %s = memref.alloca() : memref<64xf32>
  scf.forall (%x) in (64) {
    %v = memref.load %A[%x] : memref<64xf32>
    memref.store %v, %s[%x] : memref<64xf32>
  }
  gpu.barrier
  nvvm.barrier0
  scf.forall (%x) in (64) {
    %v = memref.load %s[%x] : memref<64xf32>
    memref.store %v, %B[%x] : memref<64xf32>
  }
  return
}
