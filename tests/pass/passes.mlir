// OPTIONS: --function matmul --passes 'inline, func.func(convert-linalg-to-affine-loops)'
// A pipeline that inlines a call and lowers linalg. Extents of arguments are parameters.
func.func private @multiply(%A: memref<?x?xf64>, %B: memref<?x?xf64>, %C: memref<?x?xf64>) {
  linalg.matmul ins(%A, %B : memref<?x?xf64>, memref<?x?xf64>) outs(%C : memref<?x?xf64>)
  return
}
func.func @matmul(%A: memref<?x?xf64>, %B: memref<?x?xf64>, %C: memref<?x?xf64>) {
  call @multiply(%A, %B, %C) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  return
}
