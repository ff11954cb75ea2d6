// seidel-2d of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_seidel_2d(%tsteps: index, %n: index, %A: memref<?x?xf64>) {
    %nine = constant 9.0 : f64
    affine.for %t = 0 to %tsteps {
      affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
          %a = affine.load %A[%i - 1, %j - 1] : memref<?x?xf64>
          %a_1 = affine.load %A[%i - 1, %j] : memref<?x?xf64>
          %sum = addf %a, %a_1 : f64
          %a_2 = affine.load %A[%i - 1, %j + 1] : memref<?x?xf64>
          %sum_1 = addf %sum, %a_2 : f64
          %a_3 = affine.load %A[%i, %j - 1] : memref<?x?xf64>
          %sum_2 = addf %sum_1, %a_3 : f64
          %a_4 = affine.load %A[%i, %j] : memref<?x?xf64>
          %sum_3 = addf %sum_2, %a_4 : f64
          %a_5 = affine.load %A[%i, %j + 1] : memref<?x?xf64>
          %sum_4 = addf %sum_3, %a_5 : f64
          %a_6 = affine.load %A[%i + 1, %j - 1] : memref<?x?xf64>
          %sum_5 = addf %sum_4, %a_6 : f64
          %a_7 = affine.load %A[%i + 1, %j] : memref<?x?xf64>
          %sum_6 = addf %sum_5, %a_7 : f64
          %a_8 = affine.load %A[%i + 1, %j + 1] : memref<?x?xf64>
          %sum_7 = addf %sum_6, %a_8 : f64
          %quot = divf %sum_7, %nine : f64
          affine.store %quot, %A[%i, %j] : memref<?x?xf64>
        }
      }
    }
    return
  }
}
