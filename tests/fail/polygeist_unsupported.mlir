// Places in a function that had to be rewritten are those of the file.
module attributes {llvm.data_layout = "e-m:e"} {
  llvm.func @free(!llvm.ptr<i8>)
  func @kernel(%arg0: i32, %A: memref<?xf64>, %B: memref<4xmemref<?xf64>>) { %a = affine.load %B[0] : memref<4xmemref<?xf64>>
    call @kernel(%arg0, %A, %B) : (i32, memref<?xf64>, memref<4xmemref<?xf64>>) -> ()
    return
  }
}
