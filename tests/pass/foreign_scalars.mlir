// Operations of dialects that are not known, on numbers alone: they cannot touch an array.
func.func @scalars(%n: index, %A: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf32>
    %y = "fixed.round"(%x) {bits = 8 : i64} : (f32) -> f32
    "directive.here"() : () -> ()
    affine.store %y, %A[%i] : memref<?xf32>
  }
  return
}
