// bicg of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_bicg(%m: index, %n: index, %A: memref<?x?xf64>, %s: memref<?xf64>, %q: memref<?xf64>,
                         %p: memref<?xf64>, %r: memref<?xf64>) {
    %zero = constant 0.0 : f64
    affine.for %i = 0 to %m {
      affine.store %zero, %s[%i] : memref<?xf64>
    }
    affine.for %i = 0 to %n {
      affine.store %zero, %q[%i] : memref<?xf64>
      affine.for %j = 0 to %m {
        %s_1 = affine.load %s[%j] : memref<?xf64>
        %r_1 = affine.load %r[%i] : memref<?xf64>
        %a = affine.load %A[%i, %j] : memref<?x?xf64>
        %prod = mulf %r_1, %a : f64
        %sum = addf %s_1, %prod : f64
        affine.store %sum, %s[%j] : memref<?xf64>
        %q_1 = affine.load %q[%i] : memref<?xf64>
        %a_1 = affine.load %A[%i, %j] : memref<?x?xf64>
        %p_1 = affine.load %p[%j] : memref<?xf64>
        %prod_1 = mulf %a_1, %p_1 : f64
        %sum_1 = addf %q_1, %prod_1 : f64
        affine.store %sum_1, %q[%i] : memref<?xf64>
      }
    }
    return
  }
}
