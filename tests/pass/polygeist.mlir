#tbaa_root = #llvm.tbaa_root<old, syntax = "{">
!old = !llvm.ptr<struct<(i32)>>
#map = affine_map<()[s0] -> (s0 - 1)>
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<"dlti.endianness", "little">, #dlti.dl_entry<i64, dense<64> : vector<2xi32>>, #dlti.dl_entry<f80, dense<128> : vector<2xi32>>>, llvm.data_layout = "e-m:e-p270:32:32", llvm.target_triple = "x86_64-unknown-linux-gnu", "polygeist.target-cpu" = "x86-64"}  {
  llvm.mlir.global internal constant @str1("==END   DUMP_ARRAYS== { \0A\00")
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>, ptr<ptr<i8>>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  memref.global "private" @weights : memref<16xf64> = uninitialized
  // An old function: `func`, no `func.func`; { brackets in comments and "strings" do not count.
  func @kernel_stencil(%arg0: i32, %arg1: i32, %arg2: memref<?xf64>, %A: memref<?x20xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 3.333300e-01 : f64
    %0 = arith.index_cast %arg1 : i32 to index
    %1 = arith.index_cast %arg0 : i32 to index
    %2 = memref.get_global @weights : memref<16xf64>
    affine.for %arg4 = 0 to %1 {
      affine.for %arg5 = 1 to #map()[%0] {
        %3 = affine.load %arg2[%arg5 - 1] : memref<?xf64>
        %4 = affine.load %2[%arg5 mod 16] : memref<16xf64>
        %5 = arith.mulf %3, %4 : f64
        affine.store %5, %A[%arg5, 0] : memref<?x20xf64>
      }
    }
    return
  }
  func private @polybench_timer_start()
}
