// LLVM 11 to 17: reductions of `scf.parallel` in their old form, beside code of today.
func.func @dot(%A: memref<?xf64>, %B: memref<?xf64>, %r: memref<f64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
    %a = memref.load %A[%i] : memref<?xf64>
    %b = memref.load %B[%i] : memref<?xf64>
    %p = arith.mulf %a, %b : f64
    scf.reduce(%p) : f64 {
    ^bb0(%x: f64, %y: f64):
      %s = arith.addf %x, %y : f64
      scf.reduce.return %s : f64
    }
  }
  memref.store %sum, %r[] : memref<f64>
  return
}
