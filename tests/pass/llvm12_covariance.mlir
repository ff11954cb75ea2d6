// covariance of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_covariance(%m: index, %n: index, %float_n: f64, %data: memref<?x?xf64>,
                               %cov: memref<?x?xf64>, %mean: memref<?xf64>) {
    %zero = constant 0.0 : f64
    %one = constant 1.0 : f64
    affine.for %j = 0 to %m {
      affine.store %zero, %mean[%j] : memref<?xf64>
      affine.for %i = 0 to %n {
        %data_1 = affine.load %data[%i, %j] : memref<?x?xf64>
        %mean_1 = affine.load %mean[%j] : memref<?xf64>
        %sum = addf %mean_1, %data_1 : f64
        affine.store %sum, %mean[%j] : memref<?xf64>
      }
      %mean_1 = affine.load %mean[%j] : memref<?xf64>
      %quot = divf %mean_1, %float_n : f64
      affine.store %quot, %mean[%j] : memref<?xf64>
    }
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %m {
        %mean_1 = affine.load %mean[%j] : memref<?xf64>
        %data_1 = affine.load %data[%i, %j] : memref<?x?xf64>
        %diff = subf %data_1, %mean_1 : f64
        affine.store %diff, %data[%i, %j] : memref<?x?xf64>
      }
    }
    affine.for %i = 0 to %m {
      affine.for %j = affine_map<(i) -> (i)>(%i) to %m {
        affine.store %zero, %cov[%i, %j] : memref<?x?xf64>
        affine.for %k = 0 to %n {
          %data_1 = affine.load %data[%k, %i] : memref<?x?xf64>
          %data_2 = affine.load %data[%k, %j] : memref<?x?xf64>
          %prod = mulf %data_1, %data_2 : f64
          %cov_1 = affine.load %cov[%i, %j] : memref<?x?xf64>
          %sum = addf %cov_1, %prod : f64
          affine.store %sum, %cov[%i, %j] : memref<?x?xf64>
        }
        %cov_1 = affine.load %cov[%i, %j] : memref<?x?xf64>
        %diff = subf %float_n, %one : f64
        %quot = divf %cov_1, %diff : f64
        affine.store %quot, %cov[%i, %j] : memref<?x?xf64>
        %cov_2 = affine.load %cov[%i, %j] : memref<?x?xf64>
        affine.store %cov_2, %cov[%j, %i] : memref<?x?xf64>
      }
    }
    return
  }
}
