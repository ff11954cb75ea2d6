// floyd-warshall of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_floyd_warshall(%n: index, %path: memref<?x?xi32>) {
    affine.for %k = 0 to %n {
      affine.for %i = 0 to %n {
        affine.for %j = 0 to %n {
          %path_1 = affine.load %path[%i, %j] : memref<?x?xi32>
          %path_2 = affine.load %path[%i, %k] : memref<?x?xi32>
          %path_3 = affine.load %path[%k, %j] : memref<?x?xi32>
          %sum = addi %path_2, %path_3 : i32
          %shorter = minsi %path_1, %sum : i32
          affine.store %shorter, %path[%i, %j] : memref<?x?xi32>
        }
      }
    }
    return
  }
}
