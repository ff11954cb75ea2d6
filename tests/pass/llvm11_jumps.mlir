// LLVM 11 to 14: `br` and `cond_br`; a `while` as C programs of 2021 have it.
func @kernel(%arg0: i32, %arg1: memref<?xf64>) {
  %c0_i32 = constant 0 : i32
  %c1_i32 = constant 1 : i32
  %cst = constant 0.000000e+00 : f64
  br ^bb1(%c0_i32 : i32)
^bb1(%0: i32):  // 2 preds: ^bb0, ^bb2
  %1 = cmpi slt, %0, %arg0 : i32
  cond_br %1, ^bb2, ^bb3
^bb2:  // pred: ^bb1
  %2 = index_cast %0 : i32 to index
  store %cst, %arg1[%2] : memref<?xf64>
  %3 = addi %0, %c1_i32 : i32
  br ^bb1(%3 : i32)
^bb3:  // pred: ^bb1
  %4 = scf.while (%arg2 = %c0_i32) : (i32) -> i32 {
    %5 = cmpi slt, %arg2, %arg0 : i32
    scf.condition(%5) %arg2 : i32
  } do {
  ^bb0(%arg2: i32):  // no predecessors
    %5 = index_cast %arg2 : i32 to index
    %6 = memref.load %arg1[%5] : memref<?xf64>
    %7 = addi %arg2, %c1_i32 : i32
    scf.yield %7 : i32
  }
  return
}
