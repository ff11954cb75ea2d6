// LLVM 11: loops of the dialect `loop`, which became `scf`.
func @sum(%A: memref<?xf32>, %out: memref<1xf32>, %n: index) {
  %c0 = constant 0 : index
  %c1 = constant 1 : index
  %zero = constant 0.0 : f32
  %all = loop.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %x = load %A[%i] : memref<?xf32>
    %t = addf %s, %x : f32
    loop.yield %t : f32
  }
  store %all, %out[%c0] : memref<1xf32>
  loop.for %i = %c1 to %n step %c1 {
    %last = cmpi "eq", %i, %c1 : index
    loop.if %last {
      store %zero, %A[%i] : memref<?xf32>
      loop.terminator
    }
    loop.terminator
  }
  return
}
