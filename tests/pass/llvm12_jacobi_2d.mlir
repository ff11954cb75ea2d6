// jacobi-2d of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_jacobi_2d(%tsteps: index, %n: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>) {
    %c0_2 = constant 0.2 : f64
    affine.for %t = 0 to %tsteps {
      affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
          %a = affine.load %A[%i, %j] : memref<?x?xf64>
          %a_1 = affine.load %A[%i, %j - 1] : memref<?x?xf64>
          %sum = addf %a, %a_1 : f64
          %a_2 = affine.load %A[%i, %j + 1] : memref<?x?xf64>
          %sum_1 = addf %sum, %a_2 : f64
          %a_3 = affine.load %A[%i + 1, %j] : memref<?x?xf64>
          %sum_2 = addf %sum_1, %a_3 : f64
          %a_4 = affine.load %A[%i - 1, %j] : memref<?x?xf64>
          %sum_3 = addf %sum_2, %a_4 : f64
          %prod = mulf %c0_2, %sum_3 : f64
          affine.store %prod, %B[%i, %j] : memref<?x?xf64>
        }
      }
      affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
          %b = affine.load %B[%i, %j] : memref<?x?xf64>
          %b_1 = affine.load %B[%i, %j - 1] : memref<?x?xf64>
          %sum = addf %b, %b_1 : f64
          %b_2 = affine.load %B[%i, %j + 1] : memref<?x?xf64>
          %sum_1 = addf %sum, %b_2 : f64
          %b_3 = affine.load %B[%i + 1, %j] : memref<?x?xf64>
          %sum_2 = addf %sum_1, %b_3 : f64
          %b_4 = affine.load %B[%i - 1, %j] : memref<?x?xf64>
          %sum_3 = addf %sum_2, %b_4 : f64
          %prod = mulf %c0_2, %sum_3 : f64
          affine.store %prod, %A[%i, %j] : memref<?x?xf64>
        }
      }
    }
    return
  }
}
