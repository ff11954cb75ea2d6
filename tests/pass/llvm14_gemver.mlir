// gemver of PolyBench in the syntax of LLVM 14.
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  memref.global "private" @unused : memref<4xf64> = uninitialized
  llvm.mlir.global internal constant @str0("") {addr_space = 0 : i32}
  func @kernel_gemver(%n: index, %alpha: f64, %beta: f64, %A: memref<?x?xf64>, %u1: memref<?xf64>,
                           %v1: memref<?xf64>, %u2: memref<?xf64>, %v2: memref<?xf64>, %w: memref<?xf64>,
                           %x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %a = affine.load %A[%i, %j] : memref<?x?xf64>
        %u1_1 = affine.load %u1[%i] : memref<?xf64>
        %v1_1 = affine.load %v1[%j] : memref<?xf64>
        %prod = arith.mulf %u1_1, %v1_1 : f64
        %sum = arith.addf %a, %prod : f64
        %u2_1 = affine.load %u2[%i] : memref<?xf64>
        %v2_1 = affine.load %v2[%j] : memref<?xf64>
        %prod_1 = arith.mulf %u2_1, %v2_1 : f64
        %sum_1 = arith.addf %sum, %prod_1 : f64
        affine.store %sum_1, %A[%i, %j] : memref<?x?xf64>
      }
    }
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %x_1 = affine.load %x[%i] : memref<?xf64>
        %a = affine.load %A[%j, %i] : memref<?x?xf64>
        %prod = arith.mulf %beta, %a : f64
        %y_1 = affine.load %y[%j] : memref<?xf64>
        %prod_1 = arith.mulf %prod, %y_1 : f64
        %sum = arith.addf %x_1, %prod_1 : f64
        affine.store %sum, %x[%i] : memref<?xf64>
      }
    }
    affine.for %i = 0 to %n {
      %x_1 = affine.load %x[%i] : memref<?xf64>
      %z_1 = affine.load %z[%i] : memref<?xf64>
      %sum = arith.addf %x_1, %z_1 : f64
      affine.store %sum, %x[%i] : memref<?xf64>
    }
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %w_1 = affine.load %w[%i] : memref<?xf64>
        %a = affine.load %A[%i, %j] : memref<?x?xf64>
        %prod = arith.mulf %alpha, %a : f64
        %x_1 = affine.load %x[%j] : memref<?xf64>
        %prod_1 = arith.mulf %prod, %x_1 : f64
        %sum = arith.addf %w_1, %prod_1 : f64
        affine.store %sum, %w[%i] : memref<?xf64>
      }
    }
    return
  }
}
