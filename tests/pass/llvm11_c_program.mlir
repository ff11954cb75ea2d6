// A C program of 2020 with the globals, pointers and declarations of its print function, which the kernel does not reach.
// OPTIONS: --function kernel
module  {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>, array<1 x i8>, ptr<struct<"struct._IO_FILE">>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>, array<1 x i8>, ptr<struct<"struct._IO_FILE">>)>>, !llvm.ptr<i8>, ...) -> !llvm.i32
  llvm.func @strcmp(!llvm.ptr<i8>, !llvm.ptr<i8>) -> !llvm.i32
  func @main(%arg0: i32, %arg1: !llvm.ptr<ptr<i8>>) -> i32 {
    %c42_i32 = constant 42 : i32
    %c0_i32 = constant 0 : i32
    %0 = alloc() : memref<20x20xf64>
    call @kernel(%c42_i32, %0) : (i32, memref<20x20xf64>) -> ()
    %1 = llvm.load %arg1 : !llvm.ptr<ptr<i8>>
    return %c0_i32 : i32
  }
  func private @kernel(%n: i32, %A: memref<20x20xf64>) {
    %0 = index_cast %n : i32 to index
    affine.for %i = 0 to %0 {
      %1 = affine.load %A[%i, 0] : memref<20x20xf64>
      %2 = index_cast %i : index to i32
      %3 = sitofp %2 : i32 to f64
      %4 = addf %1, %3 : f64
      affine.store %4, %A[%i, 1] : memref<20x20xf64>
    }
    return
  }
  func private @print(i32, memref<20x20xf64>)
}
