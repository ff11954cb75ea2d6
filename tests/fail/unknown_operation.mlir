func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    "foo.touch"(%A, %i) : (memref<?xf64>, index) -> ()
  }
  return
}
