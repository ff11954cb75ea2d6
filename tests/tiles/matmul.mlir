// A product of square matrices in tiles, as tilers print it.
func.func @matmul(%n: index, %T: index, %A: memref<?x?xf64>, %B: memref<?x?xf64>, %C: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %ii = %c0 to %n step %T {
    %iend = arith.addi %ii, %T : index
    %ilast = arith.minsi %iend, %n : index
    scf.for %jj = %c0 to %n step %T {
      %jend = arith.addi %jj, %T : index
      %jlast = arith.minsi %jend, %n : index
      scf.for %kk = %c0 to %n step %T {
        %kend = arith.addi %kk, %T : index
        %klast = arith.minsi %kend, %n : index
        scf.for %i = %ii to %ilast step %c1 {
          scf.for %j = %jj to %jlast step %c1 {
            scf.for %k = %kk to %klast step %c1 {
              %a = memref.load %A[%i, %k] : memref<?x?xf64>
              %b = memref.load %B[%k, %j] : memref<?x?xf64>
              %c = memref.load %C[%i, %j] : memref<?x?xf64>
              %product = arith.mulf %a, %b : f64
              %sum = arith.addf %c, %product : f64
              memref.store %sum, %C[%i, %j] : memref<?x?xf64>
            }
          }
        }
      }
    }
  }
  return
}
