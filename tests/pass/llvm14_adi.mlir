// adi of PolyBench in the syntax of LLVM 14.
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  memref.global "private" @unused : memref<4xf64> = uninitialized
  llvm.mlir.global internal constant @str0("") {addr_space = 0 : i32}
  func @kernel_adi(%tsteps: index, %n: index, %u: memref<?x?xf64>, %v: memref<?x?xf64>,
                        %p: memref<?x?xf64>, %q: memref<?x?xf64>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %one = arith.constant 1.0 : f64
    %two = arith.constant 2.0 : f64
    %zero = arith.constant 0.0 : f64
    %n_int = arith.index_cast %n : index to i64
    %n_real = arith.sitofp %n_int : i64 to f64
    %DX = arith.divf %one, %n_real : f64
    %DY = arith.divf %one, %n_real : f64
    %tsteps_int = arith.index_cast %tsteps : index to i64
    %tsteps_real = arith.sitofp %tsteps_int : i64 to f64
    %DT = arith.divf %one, %tsteps_real : f64
    %prod = arith.mulf %two, %DT : f64
    %prod_1 = arith.mulf %DX, %DX : f64
    %mul1 = arith.divf %prod, %prod_1 : f64
    %prod_2 = arith.mulf %one, %DT : f64
    %prod_3 = arith.mulf %DY, %DY : f64
    %mul2 = arith.divf %prod_2, %prod_3 : f64
    %neg = arith.negf %mul1 : f64
    %a = arith.divf %neg, %two : f64
    %b = arith.addf %one, %mul1 : f64
    %neg_1 = arith.negf %mul2 : f64
    %d = arith.divf %neg_1, %two : f64
    %e = arith.addf %one, %mul2 : f64
    affine.for %t = 1 to affine_map<()[tsteps] -> (tsteps + 1)>()[%tsteps] {
      affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        affine.store %one, %v[0, %i] : memref<?x?xf64>
        affine.store %zero, %p[%i, 0] : memref<?x?xf64>
        %v_1 = affine.load %v[0, %i] : memref<?x?xf64>
        affine.store %v_1, %q[%i, 0] : memref<?x?xf64>
        affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
          %neg_2 = arith.negf %a : f64
          %p_1 = affine.load %p[%i, %j - 1] : memref<?x?xf64>
          %prod_4 = arith.mulf %a, %p_1 : f64
          %sum = arith.addf %prod_4, %b : f64
          %quot = arith.divf %neg_2, %sum : f64
          affine.store %quot, %p[%i, %j] : memref<?x?xf64>
          %neg_3 = arith.negf %d : f64
          %u_1 = affine.load %u[%j, %i - 1] : memref<?x?xf64>
          %prod_5 = arith.mulf %neg_3, %u_1 : f64
          %prod_6 = arith.mulf %two, %d : f64
          %sum_1 = arith.addf %one, %prod_6 : f64
          %u_2 = affine.load %u[%j, %i] : memref<?x?xf64>
          %prod_7 = arith.mulf %sum_1, %u_2 : f64
          %sum_2 = arith.addf %prod_5, %prod_7 : f64
          %u_3 = affine.load %u[%j, %i + 1] : memref<?x?xf64>
          %prod_8 = arith.mulf %d, %u_3 : f64
          %diff = arith.subf %sum_2, %prod_8 : f64
          %q_1 = affine.load %q[%i, %j - 1] : memref<?x?xf64>
          %prod_9 = arith.mulf %a, %q_1 : f64
          %diff_1 = arith.subf %diff, %prod_9 : f64
          %p_2 = affine.load %p[%i, %j - 1] : memref<?x?xf64>
          %prod_10 = arith.mulf %a, %p_2 : f64
          %sum_3 = arith.addf %prod_10, %b : f64
          %quot_1 = arith.divf %diff_1, %sum_3 : f64
          affine.store %quot_1, %q[%i, %j] : memref<?x?xf64>
        }
        affine.store %one, %v[%n - 1, %i] : memref<?x?xf64>
        affine.for %r = 0 to affine_map<()[n] -> (n - 2)>()[%n] {
          %j = affine.apply affine_map<(r)[n] -> (n - r - 2)>(%r)[%n]
          %p_1 = affine.load %p[%i, %j] : memref<?x?xf64>
          %v_2 = affine.load %v[%j + 1, %i] : memref<?x?xf64>
          %prod_4 = arith.mulf %p_1, %v_2 : f64
          %q_1 = affine.load %q[%i, %j] : memref<?x?xf64>
          %sum = arith.addf %prod_4, %q_1 : f64
          affine.store %sum, %v[%j, %i] : memref<?x?xf64>
        }
      }
      affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        affine.store %one, %u[%i, 0] : memref<?x?xf64>
        affine.store %zero, %p[%i, 0] : memref<?x?xf64>
        %u_1 = affine.load %u[%i, 0] : memref<?x?xf64>
        affine.store %u_1, %q[%i, 0] : memref<?x?xf64>
        affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
          %neg_2 = arith.negf %d : f64
          %p_1 = affine.load %p[%i, %j - 1] : memref<?x?xf64>
          %prod_4 = arith.mulf %d, %p_1 : f64
          %sum = arith.addf %prod_4, %e : f64
          %quot = arith.divf %neg_2, %sum : f64
          affine.store %quot, %p[%i, %j] : memref<?x?xf64>
          %neg_3 = arith.negf %a : f64
          %v_1 = affine.load %v[%i - 1, %j] : memref<?x?xf64>
          %prod_5 = arith.mulf %neg_3, %v_1 : f64
          %prod_6 = arith.mulf %two, %a : f64
          %sum_1 = arith.addf %one, %prod_6 : f64
          %v_2 = affine.load %v[%i, %j] : memref<?x?xf64>
          %prod_7 = arith.mulf %sum_1, %v_2 : f64
          %sum_2 = arith.addf %prod_5, %prod_7 : f64
          %v_3 = affine.load %v[%i + 1, %j] : memref<?x?xf64>
          %prod_8 = arith.mulf %a, %v_3 : f64
          %diff = arith.subf %sum_2, %prod_8 : f64
          %q_1 = affine.load %q[%i, %j - 1] : memref<?x?xf64>
          %prod_9 = arith.mulf %d, %q_1 : f64
          %diff_1 = arith.subf %diff, %prod_9 : f64
          %p_2 = affine.load %p[%i, %j - 1] : memref<?x?xf64>
          %prod_10 = arith.mulf %d, %p_2 : f64
          %sum_3 = arith.addf %prod_10, %e : f64
          %quot_1 = arith.divf %diff_1, %sum_3 : f64
          affine.store %quot_1, %q[%i, %j] : memref<?x?xf64>
        }
        affine.store %one, %u[%i, %n - 1] : memref<?x?xf64>
        affine.for %r = 0 to affine_map<()[n] -> (n - 2)>()[%n] {
          %j = affine.apply affine_map<(r)[n] -> (n - r - 2)>(%r)[%n]
          %p_1 = affine.load %p[%i, %j] : memref<?x?xf64>
          %u_2 = affine.load %u[%i, %j + 1] : memref<?x?xf64>
          %prod_4 = arith.mulf %p_1, %u_2 : f64
          %q_1 = affine.load %q[%i, %j] : memref<?x?xf64>
          %sum = arith.addf %prod_4, %q_1 : f64
          affine.store %sum, %u[%i, %j] : memref<?x?xf64>
        }
      }
    }
    return
  }
}
