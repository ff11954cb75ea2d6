// An operation of an unknown dialect in its own syntax, which the user says touches no array.
// OPTIONS: --ignore-calls accelerator.show
func.func @shown(%A: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %A[%i] : memref<4xf32>
    accelerator.show %A {width = 4} : memref<4xf32>
  }
  return
}
