// LLVM 17 to 22: opaque pointers, and a function next to the kernel that this version cannot read.
// OPTIONS: --function kernel
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<!llvm.ptr, dense<64> : vector<4xi64>>, #dlti.dl_entry<"dlti.endianness", "little">>} {
  llvm.mlir.global internal constant @str2("A") {addr_space = 0 : i32}
  llvm.func @fprintf(!llvm.ptr, !llvm.ptr, ...) -> i32
  func.func private @print(%arg0: memref<?xf64>) {
    %0 = polygeist.memref2pointer %arg0 : memref<?xf64> to !llvm.ptr
    return
  }
  func.func @kernel(%n: i32, %arg1: memref<?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %0 = arith.index_cast %n : i32 to index
    affine.for %i = 0 to %0 {
      %1 = affine.load %arg1[%i] : memref<?xf64>
      %2 = arith.addf %1, %1 fastmath<fast> : f64
      affine.store %2, %arg1[%i] : memref<?xf64>
    }
    return
  }
}
