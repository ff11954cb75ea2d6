// mvt of PolyBench in the syntax of LLVM 14.
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  memref.global "private" @unused : memref<4xf64> = uninitialized
  llvm.mlir.global internal constant @str0("") {addr_space = 0 : i32}
  func @kernel_mvt(%n: index, %x1: memref<?xf64>, %x2: memref<?xf64>, %y_1: memref<?xf64>,
                        %y_2: memref<?xf64>, %A: memref<?x?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %x1_1 = affine.load %x1[%i] : memref<?xf64>
        %a = affine.load %A[%i, %j] : memref<?x?xf64>
        %y_1_1 = affine.load %y_1[%j] : memref<?xf64>
        %prod = arith.mulf %a, %y_1_1 : f64
        %sum = arith.addf %x1_1, %prod : f64
        affine.store %sum, %x1[%i] : memref<?xf64>
      }
    }
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %x2_1 = affine.load %x2[%i] : memref<?xf64>
        %a = affine.load %A[%j, %i] : memref<?x?xf64>
        %y_2_1 = affine.load %y_2[%j] : memref<?xf64>
        %prod = arith.mulf %a, %y_2_1 : f64
        %sum = arith.addf %x2_1, %prod : f64
        affine.store %sum, %x2[%i] : memref<?xf64>
      }
    }
    return
  }
}
