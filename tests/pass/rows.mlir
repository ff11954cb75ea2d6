// Matrices and cubes in arrays of rank 1 with row lengths that are sizes.
func.func @rows(%m: index, %n: index, %k: index, %A: memref<?xf64>, %B: memref<?xf64>, %C: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %in = arith.muli %i, %n : index
      %ij = arith.addi %in, %j : index
      %x = memref.load %A[%ij] : memref<?xf64>
      // The row before, and the last element of a row.
      %up = arith.subi %ij, %n : index
      %y = memref.load %A[%up] : memref<?xf64>
      %next = arith.addi %in, %n : index
      %last = arith.subi %next, %c1 : index
      memref.store %y, %A[%last] : memref<?xf64>
      scf.for %l = %c0 to %k step %c1 {
        %ijk = arith.muli %ij, %k : index
        %ijkl = arith.addi %ijk, %l : index
        memref.store %x, %B[%ijkl] : memref<?xf64>
      }
    }
  }
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %m {
      %z = affine.load %C[%i * symbol(%n) + %j] : memref<?xf64>
    }
  }
  return
}
