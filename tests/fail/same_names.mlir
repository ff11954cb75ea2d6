// Functions of equal names are told apart by their lines.
// OPTIONS: --function f
module @first {
  func.func @f(%A: memref<4xf64>) {
    return
  }
}
module @second {
  func.func @f(%A: memref<8xf64>) {
    return
  }
}
