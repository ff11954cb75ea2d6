// correlation of PolyBench in the syntax of LLVM 11, with globals of a print function.
module {
  llvm.mlir.global internal constant @str1("%0.2lf \00")
  llvm.func @free(!llvm.ptr<i8>)
  func @polybench_timer_start()
  func @kernel_correlation(%m: index, %n: index, %float_n: f64, %data: memref<?x?xf64>,
                                %corr: memref<?x?xf64>, %mean: memref<?xf64>, %stddev: memref<?xf64>) {
    %zero = constant 0.0 : f64
    %c0_1 = constant 0.1 : f64
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
    affine.for %j = 0 to %m {
      affine.store %zero, %stddev[%j] : memref<?xf64>
      affine.for %i = 0 to %n {
        %data_1 = affine.load %data[%i, %j] : memref<?x?xf64>
        %mean_1 = affine.load %mean[%j] : memref<?xf64>
        %diff = subf %data_1, %mean_1 : f64
        %data_2 = affine.load %data[%i, %j] : memref<?x?xf64>
        %mean_2 = affine.load %mean[%j] : memref<?xf64>
        %diff_1 = subf %data_2, %mean_2 : f64
        %prod = mulf %diff, %diff_1 : f64
        %stddev_1 = affine.load %stddev[%j] : memref<?xf64>
        %sum = addf %stddev_1, %prod : f64
        affine.store %sum, %stddev[%j] : memref<?xf64>
      }
      %stddev_1 = affine.load %stddev[%j] : memref<?xf64>
      %quot = divf %stddev_1, %float_n : f64
      affine.store %quot, %stddev[%j] : memref<?xf64>
      %stddev_2 = affine.load %stddev[%j] : memref<?xf64>
      %root = sqrt %stddev_2 : f64
      affine.store %root, %stddev[%j] : memref<?xf64>
      %stddev_3 = affine.load %stddev[%j] : memref<?xf64>
      %small = cmpf "ole", %stddev_3, %c0_1 : f64
      %safe = select %small, %one, %stddev_3 : f64
      affine.store %safe, %stddev[%j] : memref<?xf64>
    }
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %m {
        %mean_1 = affine.load %mean[%j] : memref<?xf64>
        %data_1 = affine.load %data[%i, %j] : memref<?x?xf64>
        %diff = subf %data_1, %mean_1 : f64
        affine.store %diff, %data[%i, %j] : memref<?x?xf64>
        %root = sqrt %float_n : f64
        %stddev_1 = affine.load %stddev[%j] : memref<?xf64>
        %prod = mulf %root, %stddev_1 : f64
        %data_2 = affine.load %data[%i, %j] : memref<?x?xf64>
        %quot = divf %data_2, %prod : f64
        affine.store %quot, %data[%i, %j] : memref<?x?xf64>
      }
    }
    affine.for %i = 0 to affine_map<()[m] -> (m - 1)>()[%m] {
      affine.store %one, %corr[%i, %i] : memref<?x?xf64>
      affine.for %j = affine_map<(i) -> (i + 1)>(%i) to %m {
        affine.store %zero, %corr[%i, %j] : memref<?x?xf64>
        affine.for %k = 0 to %n {
          %data_1 = affine.load %data[%k, %i] : memref<?x?xf64>
          %data_2 = affine.load %data[%k, %j] : memref<?x?xf64>
          %prod = mulf %data_1, %data_2 : f64
          %corr_1 = affine.load %corr[%i, %j] : memref<?x?xf64>
          %sum = addf %corr_1, %prod : f64
          affine.store %sum, %corr[%i, %j] : memref<?x?xf64>
        }
        %corr_1 = affine.load %corr[%i, %j] : memref<?x?xf64>
        affine.store %corr_1, %corr[%j, %i] : memref<?x?xf64>
      }
    }
    affine.store %one, %corr[%m - 1, %m - 1] : memref<?x?xf64>
    return
  }
}
