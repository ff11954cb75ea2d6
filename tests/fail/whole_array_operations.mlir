// What a pipeline leaves of operations on whole arrays is lowered; what is no such operation is refused as without one.
// OPTIONS: --passes 'func.func(cse)'
func.func @f(%A: memref<8x8xf64>, %B: memref<8x8xf64>, %C: memref<8x8xf64>, %i: index) -> tensor<8xf64> {
  linalg.matmul ins(%A, %B : memref<8x8xf64>, memref<8x8xf64>) outs(%C : memref<8x8xf64>)
  %one = arith.constant 1.0 : f64
  %old = memref.atomic_rmw addf %one, %A[%i, %i] : (f64, memref<8x8xf64>) -> f64
  %p = llvm.mlir.zero : !llvm.ptr
  %x = llvm.load volatile %p : !llvm.ptr -> f64
  %t = tensor.empty() : tensor<8xf64>
  return %t : tensor<8xf64>
}
