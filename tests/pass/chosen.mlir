// OPTIONS: --function second --name n=size --name m=n
// Of several functions the chosen one is read, whatever stands in the others; parameters are renamed all at once.
func.func @first(%A: memref<?xf64>) {
  "some.operation"(%A) : (memref<?xf64>) -> ()
  return
}
func.func private @declared(memref<?xf64>)
func.func @second(%n: index, %m: index, %A: memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
