// gramschmidt of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_gramschmidt(%m: index, %n: index, %A: memref<?x?xf64>, %R: memref<?x?xf64>,
                                %Q: memref<?x?xf64>) {
    %zero = constant 0.0 : f64
    affine.for %k = 0 to %n {
      %nrm = affine.for %i = 0 to %m iter_args(%nrm_in = %zero) -> (f64) {
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %a_1 = affine.load %A[%i, %k] : memref<?x?xf64>
        %prod = mulf %a, %a_1 : f64
        %sum = addf %nrm_in, %prod : f64
        affine.yield %sum : f64
      }
      %root = math.sqrt %nrm : f64
      affine.store %root, %R[%k, %k] : memref<?x?xf64>
      affine.for %i = 0 to %m {
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %r = affine.load %R[%k, %k] : memref<?x?xf64>
        %quot = divf %a, %r : f64
        affine.store %quot, %Q[%i, %k] : memref<?x?xf64>
      }
      affine.for %j = affine_map<(k) -> (k + 1)>(%k) to %n {
        affine.store %zero, %R[%k, %j] : memref<?x?xf64>
        affine.for %i = 0 to %m {
          %q = affine.load %Q[%i, %k] : memref<?x?xf64>
          %a = affine.load %A[%i, %j] : memref<?x?xf64>
          %prod = mulf %q, %a : f64
          %r = affine.load %R[%k, %j] : memref<?x?xf64>
          %sum = addf %r, %prod : f64
          affine.store %sum, %R[%k, %j] : memref<?x?xf64>
        }
        affine.for %i = 0 to %m {
          %a = affine.load %A[%i, %j] : memref<?x?xf64>
          %q = affine.load %Q[%i, %k] : memref<?x?xf64>
          %r = affine.load %R[%k, %j] : memref<?x?xf64>
          %prod = mulf %q, %r : f64
          %diff = subf %a, %prod : f64
          affine.store %diff, %A[%i, %j] : memref<?x?xf64>
        }
      }
    }
    return
  }
}
