// LLVM 15 and 16: `scf.foreach_thread`.
func.func @threads(%A: memref<?xf32>, %n: index) {
  %x = arith.constant 1.0 : f32
  scf.foreach_thread (%i) in (%n) {
    %y = arith.maxf %x, %x : f32
    memref.store %y, %A[%i] : memref<?xf32>
  }
  return
}
