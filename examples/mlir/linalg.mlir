// A matrix product that stays one operation until a script tiles it.
func.func @product(%A: memref<100x60xf64>, %B: memref<60x80xf64>, %C: memref<100x80xf64>) {
  linalg.matmul ins(%A, %B : memref<100x60xf64>, memref<60x80xf64>) outs(%C : memref<100x80xf64>)
  return
}
