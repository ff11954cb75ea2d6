// LLVM 12 to 16: pointers say what they point to; calls that print have variable arguments.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>}  {
  llvm.mlir.global internal constant @str0("%d\0A\00")
  llvm.func @printf(!llvm.ptr<i8>, ...) -> i32
  func @main(%arg0: i32, %arg1: !llvm.ptr<ptr<i8>>) -> i32 attributes {llvm.linkage = #llvm.linkage<external>}  {
    %c0_i32 = constant 0 : i32
    %0 = llvm.mlir.null : !llvm.ptr<i8>
    %1 = llvm.mlir.addressof @str0 : !llvm.ptr<array<4 x i8>>
    %2 = llvm.mlir.constant(0 : index) : i64
    %3 = llvm.getelementptr %1[%2, %2] : (!llvm.ptr<array<4 x i8>>, i64, i64) -> !llvm.ptr<i8>
    %4 = llvm.call @printf(%3, %arg0) : (!llvm.ptr<i8>, i32) -> i32
    %5 = memref.alloc() : memref<100xf64>
    affine.for %arg2 = 0 to 100 {
      %6 = affine.load %5[%arg2] : memref<100xf64>
    }
    memref.dealloc %5 : memref<100xf64>
    return %c0_i32 : i32
  }
}
