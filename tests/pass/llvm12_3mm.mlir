// 3mm of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_3mm(%ni: index, %nj: index, %nk: index, %nl: index, %nm: index, %E: memref<?x?xf64>,
                        %A: memref<?x?xf64>, %B: memref<?x?xf64>, %F: memref<?x?xf64>, %C: memref<?x?xf64>,
                        %D: memref<?x?xf64>, %G: memref<?x?xf64>) {
    %zero = constant 0.0 : f64
    affine.for %i = 0 to %ni {
      affine.for %j = 0 to %nj {
        affine.store %zero, %E[%i, %j] : memref<?x?xf64>
        affine.for %k = 0 to %nk {
          %a = affine.load %A[%i, %k] : memref<?x?xf64>
          %b = affine.load %B[%k, %j] : memref<?x?xf64>
          %prod = mulf %a, %b : f64
          %e = affine.load %E[%i, %j] : memref<?x?xf64>
          %sum = addf %e, %prod : f64
          affine.store %sum, %E[%i, %j] : memref<?x?xf64>
        }
      }
    }
    affine.for %i = 0 to %nj {
      affine.for %j = 0 to %nl {
        affine.store %zero, %F[%i, %j] : memref<?x?xf64>
        affine.for %k = 0 to %nm {
          %c = affine.load %C[%i, %k] : memref<?x?xf64>
          %d = affine.load %D[%k, %j] : memref<?x?xf64>
          %prod = mulf %c, %d : f64
          %f = affine.load %F[%i, %j] : memref<?x?xf64>
          %sum = addf %f, %prod : f64
          affine.store %sum, %F[%i, %j] : memref<?x?xf64>
        }
      }
    }
    affine.for %i = 0 to %ni {
      affine.for %j = 0 to %nl {
        affine.store %zero, %G[%i, %j] : memref<?x?xf64>
        affine.for %k = 0 to %nj {
          %e = affine.load %E[%i, %k] : memref<?x?xf64>
          %f = affine.load %F[%k, %j] : memref<?x?xf64>
          %prod = mulf %e, %f : f64
          %g = affine.load %G[%i, %j] : memref<?x?xf64>
          %sum = addf %g, %prod : f64
          affine.store %sum, %G[%i, %j] : memref<?x?xf64>
        }
      }
    }
    return
  }
}
