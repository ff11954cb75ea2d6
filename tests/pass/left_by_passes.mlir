// What a pipeline leaves of operations on whole arrays is lowered as without one.
// OPTIONS: --passes 'builtin.module(canonicalize)'
func.func @tiles(%A: memref<100x100xf32>, %C: memref<100x100xf32>) {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c100 step %c32 {
    %h = affine.min affine_map<(d0) -> (32, 100 - d0)>(%i)
    %a = memref.subview %A[%i, 0] [%h, 100] [1, 1] : memref<100x100xf32> to memref<?x100xf32, strided<[100, 1], offset: ?>>
    %c = memref.subview %C[%i, 0] [%h, 100] [1, 1] : memref<100x100xf32> to memref<?x100xf32, strided<[100, 1], offset: ?>>
    linalg.exp ins(%a : memref<?x100xf32, strided<[100, 1], offset: ?>>) outs(%c : memref<?x100xf32, strided<[100, 1], offset: ?>>)
  }
  return
}
