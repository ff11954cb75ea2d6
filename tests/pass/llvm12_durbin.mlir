// durbin of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_durbin(%n: index, %r: memref<?xf64>, %y: memref<?xf64>) {
    %one = constant 1.0 : f64
    %zero = constant 0.0 : f64
    %z = memref.alloca(%n) : memref<?xf64>
    %r_1 = affine.load %r[0] : memref<?xf64>
    %neg = negf %r_1 : f64
    affine.store %neg, %y[0] : memref<?xf64>
    %r_2 = affine.load %r[0] : memref<?xf64>
    %alpha = negf %r_2 : f64
    %beta, %alpha_1 = affine.for %k = 1 to %n iter_args(%beta_in = %one, %alpha_in = %alpha) -> (f64, f64) {
      %prod = mulf %alpha_in, %alpha_in : f64
      %diff = subf %one, %prod : f64
      %prod_1 = mulf %diff, %beta_in : f64
      %sum = affine.for %i = 0 to affine_map<(k) -> (k)>(%k) iter_args(%sum_in = %zero) -> (f64) {
        %r_3 = affine.load %r[%k - %i - 1] : memref<?xf64>
        %y_1 = affine.load %y[%i] : memref<?xf64>
        %prod_2 = mulf %r_3, %y_1 : f64
        %sum_1 = addf %sum_in, %prod_2 : f64
        affine.yield %sum_1 : f64
      }
      %r_3 = affine.load %r[%k] : memref<?xf64>
      %sum_1 = addf %r_3, %sum : f64
      %neg_1 = negf %sum_1 : f64
      %quot = divf %neg_1, %prod_1 : f64
      affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
        %y_1 = affine.load %y[%i] : memref<?xf64>
        %y_2 = affine.load %y[%k - %i - 1] : memref<?xf64>
        %prod_2 = mulf %quot, %y_2 : f64
        %sum_2 = addf %y_1, %prod_2 : f64
        affine.store %sum_2, %z[%i] : memref<?xf64>
      }
      affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
        %z_1 = affine.load %z[%i] : memref<?xf64>
        affine.store %z_1, %y[%i] : memref<?xf64>
      }
      affine.store %quot, %y[%k] : memref<?xf64>
      affine.yield %prod_1, %quot : f64, f64
    }
    return
  }
}
