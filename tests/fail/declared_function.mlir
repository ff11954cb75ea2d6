// OPTIONS: --function declared
func.func private @declared(memref<4xf64>)
func.func @defined() {
  return
}
