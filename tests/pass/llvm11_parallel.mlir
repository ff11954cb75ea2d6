// LLVM 11: `loop.parallel` has a terminator of its own, and a reduction for each of its results.
func @parallel(%A: memref<?x?xf32>, %r: memref<2xf32>, %m: index, %n: index) {
  %c0 = constant 0 : index
  %c1 = constant 1 : index
  %zero = constant 0.0 : f32
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    store %zero, %A[%i, %j] : memref<?x?xf32>
    loop.yield
  }
  %s:2 = loop.parallel (%i) = (%c0) to (%m) step (%c1) init (%zero, %zero) -> (f32, f32) {
    %x = load %A[%i, %c0] : memref<?x?xf32>
    loop.reduce(%x) : f32 {
    ^bb0(%a: f32, %b: f32):
      %t = addf %a, %b : f32 // the sum
      loop.reduce.return %t : f32
    }
    %y = load %A[%c0, %i] : memref<?x?xf32>
    loop.reduce(%y) : f32 {
    ^bb0(%a: f32, %b: f32):
      %t = mulf %a, %b : f32
      loop.reduce.return %t : f32
    }
    loop.yield
  }
  affine.store %s#0, %r[0] : memref<2xf32>
  affine.store %s#1, %r[1] : memref<2xf32>
  return
}
