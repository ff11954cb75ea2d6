// An operation of an unknown dialect on numbers alone, which may call what it names.
func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    "tool.call"(%i) {callee = @elsewhere} : (index) -> ()
  }
  return
}
