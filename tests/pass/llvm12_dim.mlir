// LLVM 12: `memref.dim` with an index that is a value.
func @dims(%A: memref<?x?xf32>) {
  %c0 = constant 0 : index
  %c1 = constant 1 : index
  %rows = memref.dim %A, %c0 : memref<?x?xf32>
  %columns = memref.dim %A, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %columns step %c1 {
      %x = memref.load %A[%i, %j] : memref<?x?xf32>
      %y = maxf %x, %x : f32
      memref.store %y, %A[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
