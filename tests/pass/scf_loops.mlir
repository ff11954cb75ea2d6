// scf.for with affine bounds: a minimum or maximum is several bounds; other cases are several loops. Constant steps.
func.func @scf_loops(%n: index, %m: i32, %A: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %size = arith.index_cast %m : i32 to index
  scf.for %ii = %zero to %n step %eight {
    %end = arith.addi %ii, %eight : index
    %last = arith.minsi %end, %n : index
    %more = arith.cmpi slt, %size, %ii : index
    %first = arith.select %more, %ii, %size : index
    scf.for %i = %first to %last step %one {
      %x = memref.load %A[%i] : memref<?xf64>
    }
  }
  // The smaller one is where the loop starts, and a loop has only largest lower bounds.
  %least = affine.min affine_map<()[s0, s1] -> (s0, s1 - 5)>()[%n, %size]
  affine.for %i = %least to %n {
    %x = affine.load %A[%i] : memref<?xf64>
  }
  %fewer = affine.min affine_map<()[s0, s1] -> (s0, s1, 64)>()[%n, %size]
  affine.for %i = 0 to min affine_map<()[s0, s1] -> (s0 + 1, s1 * 2)>()[%fewer, %n] {
    %x = affine.load %A[%i] : memref<?xf64>
  }
  %from = arith.constant -3 : i32
  %to = arith.constant 5 : i32
  %by = arith.constant 2 : i32
  scf.for %k = %from to %to step %by : i32 {
    %i = arith.index_cast %k : i32 to index
    %x = memref.load %A[%i] : memref<?xf64>
  }
  scf.for unsigned %i = %zero to %n step %one {
    %x = memref.load %A[%i] : memref<?xf64>
  }
  return
}
