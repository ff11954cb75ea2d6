// A function that is called is read as well; what is wrong with it is said there.
// OPTIONS: --function kernel
func @unrelated(%A: memref<?xf32>) {
  tool.operation %A : memref<?xf32>
  return
}
func @callee(%A: memref<?xf32>) {
  tool.operation %A : memref<?xf32>
  return
}
func @kernel(%A: memref<?xf32>) {
  call @callee(%A) : (memref<?xf32>) -> ()
  return
}
