// Constants of 8 bits in a wider type: by zeros, by the sign, and back in fewer bits.
func.func @extended_constants(%A: memref<300xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %k = arith.constant 200 : i8
  %unsigned = arith.index_castui %k : i8 to index
  scf.for %i = %c0 to %unsigned step %c1 {
    memref.store %x, %A[%i] : memref<300xf32>
  }
  %wide = arith.extui %k : i8 to i32
  %signed = arith.extsi %k : i8 to i32
  %difference = arith.subi %wide, %signed : i32
  %last = arith.index_cast %difference : i32 to index
  memref.store %x, %A[%last] : memref<300xf32>
  %many = arith.constant 300 : i32
  %few = arith.trunci %many : i32 to i8
  %end = arith.index_castui %few : i8 to index
  scf.for %i = %c0 to %end step %c1 {
    memref.store %x, %A[%i] : memref<300xf32>
  }
  return
}
