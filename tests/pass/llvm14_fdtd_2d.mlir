// fdtd-2d of PolyBench in the syntax of LLVM 14.
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  memref.global "private" @unused : memref<4xf64> = uninitialized
  llvm.mlir.global internal constant @str0("") {addr_space = 0 : i32}
  func @kernel_fdtd_2d(%tmax: index, %nx: index, %ny: index, %ex: memref<?x?xf64>, %ey: memref<?x?xf64>,
                            %hz: memref<?x?xf64>, %_fict_: memref<?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
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
}
