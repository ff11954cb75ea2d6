// What is left of an old text after it was rewritten is what the message is about, at its place in the file.
llvm.mlir.global internal constant @unused(0 : i8) : !llvm.i8
func @kernel(%n: index, %A: memref<?xf32>) {
  %c0 = constant 0 : index  %c1 = constant 1 : index
  affine.for %i = 0 to %n {
    %x = load %A[%i] : memref<?xf32>  %y = mulf %x, %z : f32
  }
  return
}
