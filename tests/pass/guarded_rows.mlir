// Matrices in arrays of rank 1, of which a branch says that an element is in its row, some with longer rows.
#below = affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0)>
func.func @guarded(%n: index, %m: index, %A: memref<?xf64>, %B: memref<?xf64>, %C: memref<?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %t = 0 to %n step 4 {
      affine.for %u = 0 to 4 {
        %j = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%t, %u)
        affine.if #below(%j)[%n] {
          %row = arith.muli %i, %n : index
          %at = arith.addi %row, %j : index
          %x = memref.load %A[%at] : memref<?xf64>
          affine.store %x, %B[%i * symbol(%m) + %j] : memref<?xf64>
          affine.store %x, %C[%i * symbol(%m) + %j] : memref<?xf64>
        }
      }
    }
  }
  return
}
