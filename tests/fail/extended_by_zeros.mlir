// A number that is negative in some iterations is a huge one, extended by zeros.
func.func @extended_by_zeros(%n: i32, %A: memref<400xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c200 = arith.constant 200 : i64
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %d = arith.subi %i, %c5 : i32
    %u = arith.extui %d : i32 to i64
    %c = arith.cmpi slt, %u, %c200 : i64
    scf.if %c {
      %ii = arith.index_cast %i : i32 to index
      memref.store %x, %A[%ii] : memref<400xf32>
    }
  }
  return
}
