// Operations of linalg on tiles in loops of affine, the last of which are smaller.
func.func @copy(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index) {
  affine.for %i = 0 to %n step 8 {
    %rows = affine.min affine_map<(i)[n] -> (8, n - i)>(%i)[%n]
    affine.for %j = 0 to %n step 6 {
      %columns = affine.min affine_map<(j)[n] -> (6, n - j)>(%j)[%n]
      %from = memref.subview %A[%i, %j] [%rows, %columns] [1, 1]
        : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      %to = memref.subview %B[%i, %j] [%rows, %columns] [1, 1]
        : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      linalg.copy ins(%from : memref<?x?xf32, strided<[?, 1], offset: ?>>)
        outs(%to : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    }
  }
  return
}
