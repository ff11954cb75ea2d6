// OPTIONS: --function f
func.func private @norm(memref<?xf64>) -> f64
func.func @down(%n: index, %A: memref<?xf64>) {
  call @f(%n, %A) : (index, memref<?xf64>) -> ()
  return
}
func.func @allocates(%n: index) {
  %local = memref.alloc(%n) : memref<?xf64>
  return
}
func.func @loads(%i: index, %A: memref<?xf64>) {
  %x = memref.load %A[%i] : memref<?xf64>
  return
}
func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %x = func.call @norm(%A) : (memref<?xf64>) -> f64
    func.call @down(%i, %A) : (index, memref<?xf64>) -> ()
    func.call @allocates(%i) : (index) -> ()
    %square = arith.muli %i, %i : index
    func.call @loads(%square, %A) : (index, memref<?xf64>) -> ()
    %g = func.constant @loads : (index, memref<?xf64>) -> ()
    func.call_indirect %g(%i, %A) : (index, memref<?xf64>) -> ()
  }
  return
}
