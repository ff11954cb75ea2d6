// OPTIONS: --function main
// Calls are read in place: arguments, results, views that are passed, one function called twice, its own arrays.
func.func @scale(%n: index, %x: memref<?xf64>, %by: index) -> index {
  %scratch = memref.alloca(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i * 2] : memref<?xf64>
    affine.store %v, %scratch[%i] : memref<?xf64>
  }
  %next = arith.addi %n, %by : index
  return %next : index
}
func.func @row(%A: memref<32x32xf64>, %i: index) -> memref<32xf64, strided<[1], offset: ?>> {
  %row = memref.subview %A[%i, 0] [1, 32] [1, 1] : memref<32x32xf64> to memref<32xf64, strided<[1], offset: ?>>
  return %row : memref<32xf64, strided<[1], offset: ?>>
}
func.func @main(%n: index, %A: memref<?xf64>, %B: memref<32x32xf64>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %more = call @scale(%n, %A, %one) : (index, memref<?xf64>, index) -> index
  %most = call @scale(%more, %A, %two) : (index, memref<?xf64>, index) -> index
  affine.for %i = 0 to %most {
    %first = func.call @row(%B, %i) : (memref<32x32xf64>, index) -> memref<32xf64, strided<[1], offset: ?>>
    %second = func.call @row(%B, %one) : (memref<32x32xf64>, index) -> memref<32xf64, strided<[1], offset: ?>>
    %x = memref.load %first[%two] : memref<32xf64, strided<[1], offset: ?>>
    memref.store %x, %second[%two] : memref<32xf64, strided<[1], offset: ?>>
  }
  return
}
