// syrk of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_syrk(%n: index, %m: index, %alpha: f64, %beta: f64, %C: memref<?x?xf64>,
                         %A: memref<?x?xf64>) {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %prod = mulf %c, %beta : f64
        affine.store %prod, %C[%i, %j] : memref<?x?xf64>
      }
      affine.for %k = 0 to %m {
        affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
          %a = affine.load %A[%i, %k] : memref<?x?xf64>
          %prod = mulf %alpha, %a : f64
          %a_1 = affine.load %A[%j, %k] : memref<?x?xf64>
          %prod_1 = mulf %prod, %a_1 : f64
          %c = affine.load %C[%i, %j] : memref<?x?xf64>
          %sum = addf %c, %prod_1 : f64
          affine.store %sum, %C[%i, %j] : memref<?x?xf64>
        }
      }
    }
    return
  }
}
