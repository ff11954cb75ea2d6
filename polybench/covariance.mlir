// covariance: covariance matrix of n data points with m attributes         (PolyBench/C 4.2.1, datamining/covariance)
//
//   for (j = 0; j < m; j++) {
//     mean[j] = 0.0;
//     for (i = 0; i < n; i++)
//       mean[j] += data[i][j];
//     mean[j] /= float_n;
//   }
//   for (i = 0; i < n; i++)
//     for (j = 0; j < m; j++)
//       data[i][j] -= mean[j];
//   for (i = 0; i < m; i++)
//     for (j = i; j < m; j++) {
//       cov[i][j] = 0.0;
//       for (k = 0; k < n; k++)
//         cov[i][j] += data[k][i] * data[k][j];
//       cov[i][j] /= (float_n - 1.0);
//       cov[j][i] = cov[i][j];
//     }
func.func @kernel_covariance(%m: index, %n: index, %float_n: f64, %data: memref<?x?xf64>,
                             %cov: memref<?x?xf64>, %mean: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
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
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %mean_1 = affine.load %mean[%j] : memref<?xf64>
      %data_1 = affine.load %data[%i, %j] : memref<?x?xf64>
      %diff = arith.subf %data_1, %mean_1 : f64
      affine.store %diff, %data[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %i = 0 to %m {
    affine.for %j = affine_map<(i) -> (i)>(%i) to %m {
      affine.store %zero, %cov[%i, %j] : memref<?x?xf64>
      affine.for %k = 0 to %n {
        %data_1 = affine.load %data[%k, %i] : memref<?x?xf64>
        %data_2 = affine.load %data[%k, %j] : memref<?x?xf64>
        %prod = arith.mulf %data_1, %data_2 : f64
        %cov_1 = affine.load %cov[%i, %j] : memref<?x?xf64>
        %sum = arith.addf %cov_1, %prod : f64
        affine.store %sum, %cov[%i, %j] : memref<?x?xf64>
      }
      %cov_1 = affine.load %cov[%i, %j] : memref<?x?xf64>
      %diff = arith.subf %float_n, %one : f64
      %quot = arith.divf %cov_1, %diff : f64
      affine.store %quot, %cov[%i, %j] : memref<?x?xf64>
      %cov_2 = affine.load %cov[%i, %j] : memref<?x?xf64>
      affine.store %cov_2, %cov[%j, %i] : memref<?x?xf64>
    }
  }
  return
}
