// matmul of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_matmul(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        affine.for %k = 0 to %n {
          %a = affine.load %A[%i, %k] : memref<?x?xf64>
          %b = affine.load %B[%k, %j] : memref<?x?xf64>
          %prod = mulf %a, %b : f64
          %c = affine.load %C[%i, %j] : memref<?x?xf64>
          %sum = addf %prod, %c : f64
          affine.store %sum, %C[%i, %j] : memref<?x?xf64>
        }
      }
    }
    return
  }
}
