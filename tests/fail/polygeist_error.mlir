// Other MLIR's text is tried without what the function does not need; if that fails too, the errors are those of the file.
module attributes {llvm.data_layout = "e-m:e"} {
  llvm.func @free(!llvm.ptr<i8>)
  func @main(%arg0: !llvm.ptr<ptr<i8>>) {
    return
  }
  func @kernel(%n: index, %A: memref<?xf64>) {
    return
  }
}
