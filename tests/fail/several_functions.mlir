func.func @first(%A: memref<4xf64>) {
  return
}
func.func private @declared(memref<4xf64>)
func.func @second(%A: memref<4xf64>) {
  return
}
