module {
  func.func private @declared(memref<4xf64>)
}
