// In its own syntax, an operation of an unknown dialect cannot even be parsed.
func.func @f(%A: memref<?xf64>) {
  foo.bar %A : memref<?xf64>
  return
}
