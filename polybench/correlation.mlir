// correlation: correlation matrix of n data points with m attributes      (PolyBench/C 4.2.1, datamining/correlation)
//
//   for (j = 0; j < m; j++) {
//     mean[j] = 0.0;
//     for (i = 0; i < n; i++)
//       mean[j] += data[i][j];
//     mean[j] /= float_n;
//   }
//   for (j = 0; j < m; j++) {
//     stddev[j] = 0.0;
//     for (i = 0; i < n; i++)
//       stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
//     stddev[j] /= float_n;
//     stddev[j] = sqrt(stddev[j]);
//     stddev[j] = stddev[j] <= 0.1 ? 1.0 : stddev[j];
//   }
//   for (i = 0; i < n; i++)
//     for (j = 0; j < m; j++) {
//       data[i][j] -= mean[j];
//       data[i][j] /= sqrt(float_n) * stddev[j];
//     }
//   for (i = 0; i < m - 1; i++) {
//     corr[i][i] = 1.0;
//     for (j = i + 1; j < m; j++) {
//       corr[i][j] = 0.0;
//       for (k = 0; k < n; k++)
//         corr[i][j] += data[k][i] * data[k][j];
//       corr[j][i] = corr[i][j];
//     }
//   }
//   corr[m - 1][m - 1] = 1.0;
//
// The arms of `?:` use the value that its condition has loaded.
func.func @kernel_correlation(%m: index, %n: index, %float_n: f64, %data: memref<?x?xf64>,
                              %corr: memref<?x?xf64>, %mean: memref<?xf64>, %stddev: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c0_1 = arith.constant 0.1 : f64
  %one = arith.constant 1.0 : f64
  affine.for %j = 0 to %m {
    affine.store %zero, %mean[%j] : memref<?xf64>
    affine.for %i = 0 to %n {
      %data_1 = affine.load %data[%i, %j] : memref<?x?xf64>
      %mean_1 = affine.load %mean[%j] : memref<?xf64>
      %sum = arith.addf %mean_1, %data_1 : f64
      affine.store %sum, %mean[%j] : memref<?xf64>
    }
    %mean_1 = affine.load %mean[%j] : memref<?xf64>
    %quot = arith.divf %mean_1, %float_n : f64
    affine.store %quot, %mean[%j] : memref<?xf64>
  }
  affine.for %j = 0 to %m {
    affine.store %zero, %stddev[%j] : memref<?xf64>
    affine.for %i = 0 to %n {
      %data_1 = affine.load %data[%i, %j] : memref<?x?xf64>
      %mean_1 = affine.load %mean[%j] : memref<?xf64>
      %diff = arith.subf %data_1, %mean_1 : f64
      %data_2 = affine.load %data[%i, %j] : memref<?x?xf64>
      %mean_2 = affine.load %mean[%j] : memref<?xf64>
      %diff_1 = arith.subf %data_2, %mean_2 : f64
      %prod = arith.mulf %diff, %diff_1 : f64
      %stddev_1 = affine.load %stddev[%j] : memref<?xf64>
      %sum = arith.addf %stddev_1, %prod : f64
      affine.store %sum, %stddev[%j] : memref<?xf64>
    }
    %stddev_1 = affine.load %stddev[%j] : memref<?xf64>
    %quot = arith.divf %stddev_1, %float_n : f64
    affine.store %quot, %stddev[%j] : memref<?xf64>
    %stddev_2 = affine.load %stddev[%j] : memref<?xf64>
    %root = math.sqrt %stddev_2 : f64
    affine.store %root, %stddev[%j] : memref<?xf64>
    %stddev_3 = affine.load %stddev[%j] : memref<?xf64>
    %small = arith.cmpf ole, %stddev_3, %c0_1 : f64
    %safe = arith.select %small, %one, %stddev_3 : f64
    affine.store %safe, %stddev[%j] : memref<?xf64>
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %mean_1 = affine.load %mean[%j] : memref<?xf64>
      %data_1 = affine.load %data[%i, %j] : memref<?x?xf64>
      %diff = arith.subf %data_1, %mean_1 : f64
      affine.store %diff, %data[%i, %j] : memref<?x?xf64>
      %root = math.sqrt %float_n : f64
      %stddev_1 = affine.load %stddev[%j] : memref<?xf64>
      %prod = arith.mulf %root, %stddev_1 : f64
      %data_2 = affine.load %data[%i, %j] : memref<?x?xf64>
      %quot = arith.divf %data_2, %prod : f64
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
        %prod = arith.mulf %data_1, %data_2 : f64
        %corr_1 = affine.load %corr[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %corr_1, %prod : f64
        affine.store %sum, %corr[%i, %j] : memref<?x?xf64>
      }
      %corr_1 = affine.load %corr[%i, %j] : memref<?x?xf64>
      affine.store %corr_1, %corr[%j, %i] : memref<?x?xf64>
    }
  }
  affine.store %one, %corr[%m - 1, %m - 1] : memref<?x?xf64>
  return
}
