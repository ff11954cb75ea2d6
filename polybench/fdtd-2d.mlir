// fdtd-2d: 2-D finite-difference time-domain kernel                             (PolyBench/C 4.2.1, stencils/fdtd-2d)
//
//   for (t = 0; t < tmax; t++) {
//     for (j = 0; j < ny; j++)
//       ey[0][j] = _fict_[t];
//     for (i = 1; i < nx; i++)
//       for (j = 0; j < ny; j++)
//         ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
//     for (i = 0; i < nx; i++)
//       for (j = 1; j < ny; j++)
//         ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
//     for (i = 0; i < nx - 1; i++)
//       for (j = 0; j < ny - 1; j++)
//         hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
//   }
func.func @kernel_fdtd_2d(%tmax: index, %nx: index, %ny: index, %ex: memref<?x?xf64>, %ey: memref<?x?xf64>,
                          %hz: memref<?x?xf64>, %_fict_: memref<?xf64>) {
  %c0_5 = arith.constant 0.5 : f64
  %c0_7 = arith.constant 0.7 : f64
  affine.for %t = 0 to %tmax {
    affine.for %j = 0 to %ny {
      %fict = affine.load %_fict_[%t] : memref<?xf64>
      affine.store %fict, %ey[0, %j] : memref<?x?xf64>
    }
    affine.for %i = 1 to %nx {
      affine.for %j = 0 to %ny {
        %ey_1 = affine.load %ey[%i, %j] : memref<?x?xf64>
        %hz_1 = affine.load %hz[%i, %j] : memref<?x?xf64>
        %hz_2 = affine.load %hz[%i - 1, %j] : memref<?x?xf64>
        %diff = arith.subf %hz_1, %hz_2 : f64
        %prod = arith.mulf %c0_5, %diff : f64
        %diff_1 = arith.subf %ey_1, %prod : f64
        affine.store %diff_1, %ey[%i, %j] : memref<?x?xf64>
      }
    }
    affine.for %i = 0 to %nx {
      affine.for %j = 1 to %ny {
        %ex_1 = affine.load %ex[%i, %j] : memref<?x?xf64>
        %hz_1 = affine.load %hz[%i, %j] : memref<?x?xf64>
        %hz_2 = affine.load %hz[%i, %j - 1] : memref<?x?xf64>
        %diff = arith.subf %hz_1, %hz_2 : f64
        %prod = arith.mulf %c0_5, %diff : f64
        %diff_1 = arith.subf %ex_1, %prod : f64
        affine.store %diff_1, %ex[%i, %j] : memref<?x?xf64>
      }
    }
    affine.for %i = 0 to affine_map<()[nx] -> (nx - 1)>()[%nx] {
      affine.for %j = 0 to affine_map<()[ny] -> (ny - 1)>()[%ny] {
        %hz_1 = affine.load %hz[%i, %j] : memref<?x?xf64>
        %ex_1 = affine.load %ex[%i, %j + 1] : memref<?x?xf64>
        %ex_2 = affine.load %ex[%i, %j] : memref<?x?xf64>
        %diff = arith.subf %ex_1, %ex_2 : f64
        %ey_1 = affine.load %ey[%i + 1, %j] : memref<?x?xf64>
        %sum = arith.addf %diff, %ey_1 : f64
        %ey_2 = affine.load %ey[%i, %j] : memref<?x?xf64>
        %diff_1 = arith.subf %sum, %ey_2 : f64
        %prod = arith.mulf %c0_7, %diff_1 : f64
        %diff_2 = arith.subf %hz_1, %prod : f64
        affine.store %diff_2, %hz[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
