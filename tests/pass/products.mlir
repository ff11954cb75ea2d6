// The product is a valid symbol, so MLIR accepts it as a bound.
func.func @f(%n: index, %m: index, %A: memref<?xf64>) {
  %size = arith.muli %n, %m : index
  %one = arith.constant 1 : index
  %last = arith.subi %size, %one : index
  affine.for %i = 0 to %last {
    %x = affine.load %A[%i] : memref<?xf64>
  }
  return
}
