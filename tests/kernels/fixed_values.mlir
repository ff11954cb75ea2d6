// Arguments that have one value are constants: steps, factors, offsets and flags.
func.func @sweep(%A: memref<1024xf32>, %n: index, %tile: index, %ahead: i32, %stride: index, %mirrored: i1) {
  %zero = arith.constant 0 : index
  %whole = arith.constant 960 : index
  %offset = arith.index_cast %ahead : i32 to index
  scf.for %i = %zero to %whole step %tile {
    %end = arith.addi %i, %tile : index
    scf.for %j = %i to %end step %stride {
      %next = arith.subi %j, %offset : index
      %v = memref.load %A[%next] : memref<1024xf32>
      scf.if %mirrored {
        memref.store %v, %A[%j] : memref<1024xf32>
      }
    }
  }
  scf.for %k = %zero to %n step %stride {
    %far = arith.muli %k, %stride : index
    %v = memref.load %A[%far] : memref<1024xf32>
  }
  return
}
