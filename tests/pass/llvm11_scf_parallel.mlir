// LLVM 11 to 17: `scf.parallel` ends with `scf.yield`.
func @scale(%A: memref<?xf64>, %n: index) {
  %c0 = constant 0 : index
  %c2 = constant 2 : index
  %two = constant 2.0 : f64
  scf.parallel (%i) = (%c0) to (%n) step (%c2) {
    %x = load %A[%i] : memref<?xf64>
    %y = mulf %x, %two : f64
    store %y, %A[%i] : memref<?xf64>
    scf.yield
  }
  return
}
