// memref.load and memref.store with subscripts computed by arith and index operations.
func.func @memref_access(%n: index, %A: memref<?x?xf64>) {
  %one = arith.constant 1 : index
  %two = index.constant 2
  %three_i32 = arith.constant 3 : i32
  affine.for %i = 1 to %n {
    %next = arith.addi %i, %one : index
    %back = arith.subi %n, %next : index
    %even = arith.muli %two, %i : index
    %x = memref.load %A[%next, %back] : memref<?x?xf64>
    %wide = arith.index_cast %even : index to i64
    %narrow = arith.trunci %wide : i64 to i32
    %odd = arith.addi %narrow, %three_i32 : i32
    %signed = arith.extsi %odd : i32 to i64
    %subscript = arith.index_cast %signed : i64 to index
    %half = arith.floordivsi %i, %two : index
    memref.store %x, %A[%subscript, %half] : memref<?x?xf64>
    %sum = index.add %i, %two
    %up = arith.ceildivsi %i, %two : index
    memref.store %x, %A[%sum, %up] : memref<?x?xf64>
  }
  return
}
