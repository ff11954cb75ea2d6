// deriche of PolyBench in the syntax of LLVM 14.
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  memref.global "private" @unused : memref<4xf64> = uninitialized
  llvm.mlir.global internal constant @str0("") {addr_space = 0 : i32}
  func @kernel_deriche(%w: index, %h: index, %alpha: f32, %imgIn: memref<?x?xf32>,
                            %imgOut: memref<?x?xf32>, %y1: memref<?x?xf32>, %y2: memref<?x?xf32>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %zero = arith.constant 0.0 : f32
    %neg = arith.negf %alpha : f32
    %exp = math.exp %neg : f32
    %diff = arith.subf %one, %exp : f32
    %neg_1 = arith.negf %alpha : f32
    %exp_1 = math.exp %neg_1 : f32
    %diff_1 = arith.subf %one, %exp_1 : f32
    %prod = arith.mulf %diff, %diff_1 : f32
    %prod_1 = arith.mulf %two, %alpha : f32
    %neg_2 = arith.negf %alpha : f32
    %exp_2 = math.exp %neg_2 : f32
    %prod_2 = arith.mulf %prod_1, %exp_2 : f32
    %sum = arith.addf %one, %prod_2 : f32
    %prod_3 = arith.mulf %two, %alpha : f32
    %exp_3 = math.exp %prod_3 : f32
    %diff_2 = arith.subf %sum, %exp_3 : f32
    %k = arith.divf %prod, %diff_2 : f32
    %neg_3 = arith.negf %alpha : f32
    %exp_4 = math.exp %neg_3 : f32
    %prod_4 = arith.mulf %k, %exp_4 : f32
    %diff_3 = arith.subf %alpha, %one : f32
    %a6 = arith.mulf %prod_4, %diff_3 : f32
    %neg_4 = arith.negf %alpha : f32
    %exp_5 = math.exp %neg_4 : f32
    %prod_5 = arith.mulf %k, %exp_5 : f32
    %sum_1 = arith.addf %alpha, %one : f32
    %a7 = arith.mulf %prod_5, %sum_1 : f32
    %neg_5 = arith.negf %k : f32
    %neg_6 = arith.negf %two : f32
    %prod_6 = arith.mulf %neg_6, %alpha : f32
    %exp_6 = math.exp %prod_6 : f32
    %a8 = arith.mulf %neg_5, %exp_6 : f32
    %neg_7 = arith.negf %alpha : f32
    %b1 = math.powf %two, %neg_7 : f32
    %neg_8 = arith.negf %two : f32
    %prod_7 = arith.mulf %neg_8, %alpha : f32
    %exp_7 = math.exp %prod_7 : f32
    %b2 = arith.negf %exp_7 : f32
    affine.for %i = 0 to %w {
      %ym1, %ym2, %xm1 = affine.for %j = 0 to %h
          iter_args(%ym1_in = %zero, %ym2_in = %zero, %xm1_in = %zero) -> (f32, f32, f32) {
        %imgin = affine.load %imgIn[%i, %j] : memref<?x?xf32>
        %prod_8 = arith.mulf %k, %imgin : f32
        %prod_9 = arith.mulf %a6, %xm1_in : f32
        %sum_2 = arith.addf %prod_8, %prod_9 : f32
        %prod_10 = arith.mulf %b1, %ym1_in : f32
        %sum_3 = arith.addf %sum_2, %prod_10 : f32
        %prod_11 = arith.mulf %b2, %ym2_in : f32
        %sum_4 = arith.addf %sum_3, %prod_11 : f32
        affine.store %sum_4, %y1[%i, %j] : memref<?x?xf32>
        %imgin_1 = affine.load %imgIn[%i, %j] : memref<?x?xf32>
        %y1_1 = affine.load %y1[%i, %j] : memref<?x?xf32>
        affine.yield %y1_1, %ym1_in, %imgin_1 : f32, f32, f32
      }
    }
    affine.for %i = 0 to %w {
      %yp1, %yp2, %xp1, %xp2 = affine.for %r = 0 to %h
          iter_args(%yp1_in = %zero, %yp2_in = %zero, %xp1_in = %zero, %xp2_in = %zero) -> (f32, f32, f32, f32) {
        %j = affine.apply affine_map<(r)[h] -> (h - r - 1)>(%r)[%h]
        %prod_8 = arith.mulf %a7, %xp1_in : f32
        %prod_9 = arith.mulf %a8, %xp2_in : f32
        %sum_2 = arith.addf %prod_8, %prod_9 : f32
        %prod_10 = arith.mulf %b1, %yp1_in : f32
        %sum_3 = arith.addf %sum_2, %prod_10 : f32
        %prod_11 = arith.mulf %b2, %yp2_in : f32
        %sum_4 = arith.addf %sum_3, %prod_11 : f32
        affine.store %sum_4, %y2[%i, %j] : memref<?x?xf32>
        %imgin = affine.load %imgIn[%i, %j] : memref<?x?xf32>
        %y2_1 = affine.load %y2[%i, %j] : memref<?x?xf32>
        affine.yield %y2_1, %yp1_in, %imgin, %xp1_in : f32, f32, f32, f32
      }
    }
    affine.for %i = 0 to %w {
      affine.for %j = 0 to %h {
        %y1_1 = affine.load %y1[%i, %j] : memref<?x?xf32>
        %y2_1 = affine.load %y2[%i, %j] : memref<?x?xf32>
        %sum_2 = arith.addf %y1_1, %y2_1 : f32
        %prod_8 = arith.mulf %one, %sum_2 : f32
        affine.store %prod_8, %imgOut[%i, %j] : memref<?x?xf32>
      }
    }
    affine.for %j = 0 to %h {
      %tm1, %ym1, %ym2 = affine.for %i = 0 to %w
          iter_args(%tm1_in = %zero, %ym1_in = %zero, %ym2_in = %zero) -> (f32, f32, f32) {
        %imgout = affine.load %imgOut[%i, %j] : memref<?x?xf32>
        %prod_8 = arith.mulf %k, %imgout : f32
        %prod_9 = arith.mulf %a6, %tm1_in : f32
        %sum_2 = arith.addf %prod_8, %prod_9 : f32
        %prod_10 = arith.mulf %b1, %ym1_in : f32
        %sum_3 = arith.addf %sum_2, %prod_10 : f32
        %prod_11 = arith.mulf %b2, %ym2_in : f32
        %sum_4 = arith.addf %sum_3, %prod_11 : f32
        affine.store %sum_4, %y1[%i, %j] : memref<?x?xf32>
        %imgout_1 = affine.load %imgOut[%i, %j] : memref<?x?xf32>
        %y1_1 = affine.load %y1[%i, %j] : memref<?x?xf32>
        affine.yield %imgout_1, %y1_1, %ym1_in : f32, f32, f32
      }
    }
    affine.for %j = 0 to %h {
      %tp1, %tp2, %yp1, %yp2 = affine.for %r = 0 to %w
          iter_args(%tp1_in = %zero, %tp2_in = %zero, %yp1_in = %zero, %yp2_in = %zero) -> (f32, f32, f32, f32) {
        %i = affine.apply affine_map<(r)[w] -> (w - r - 1)>(%r)[%w]
        %prod_8 = arith.mulf %a7, %tp1_in : f32
        %prod_9 = arith.mulf %a8, %tp2_in : f32
        %sum_2 = arith.addf %prod_8, %prod_9 : f32
        %prod_10 = arith.mulf %b1, %yp1_in : f32
        %sum_3 = arith.addf %sum_2, %prod_10 : f32
        %prod_11 = arith.mulf %b2, %yp2_in : f32
        %sum_4 = arith.addf %sum_3, %prod_11 : f32
        affine.store %sum_4, %y2[%i, %j] : memref<?x?xf32>
        %imgout = affine.load %imgOut[%i, %j] : memref<?x?xf32>
        %y2_1 = affine.load %y2[%i, %j] : memref<?x?xf32>
        affine.yield %imgout, %tp1_in, %y2_1, %yp1_in : f32, f32, f32, f32
      }
    }
    affine.for %i = 0 to %w {
      affine.for %j = 0 to %h {
        %y1_1 = affine.load %y1[%i, %j] : memref<?x?xf32>
        %y2_1 = affine.load %y2[%i, %j] : memref<?x?xf32>
        %sum_2 = arith.addf %y1_1, %y2_1 : f32
        %prod_8 = arith.mulf %one, %sum_2 : f32
        affine.store %prod_8, %imgOut[%i, %j] : memref<?x?xf32>
      }
    }
    return
  }
}
