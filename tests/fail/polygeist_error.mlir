// In a text of another version a function has to be chosen first.
module attributes {llvm.data_layout = "e-m:e"} {
  llvm.func @free(!llvm.ptr<i8>)
  func @main(%arg0: !llvm.ptr<ptr<i8>>) {
    return
  }
  func @kernel(%n: index, %A: memref<?xf64>) {
    return
  }
}
