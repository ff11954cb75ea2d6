// Divisions and remainders that round toward zero, shifts and bit masks: exact for negative values as well.
func.func @divisions(%n: index, %A: memref<?xf64>) {
  %three = arith.constant 3 : index
  %minus_three = arith.constant -3 : index
  %four = arith.constant 4 : index
  %mask = arith.constant 7 : index
  affine.for %i = -5 to %n {
    %a = arith.divsi %i, %three : index
    %x0 = memref.load %A[%a] : memref<?xf64>
    %b = arith.remsi %i, %three : index
    %x1 = memref.load %A[%b] : memref<?xf64>
    %c = arith.divsi %i, %minus_three : index
    %x2 = memref.load %A[%c] : memref<?xf64>
    %d = arith.shrsi %i, %three : index
    %x3 = memref.load %A[%d] : memref<?xf64>
    %e = arith.andi %i, %mask : index
    %x4 = memref.load %A[%e] : memref<?xf64>
    %f = arith.floordivsi %i, %minus_three : index
    %x5 = memref.load %A[%f] : memref<?xf64>
    %g = arith.shli %i, %three : index
    %x6 = memref.load %A[%g] : memref<?xf64>
  }
  affine.for %i = 3 to %n {
    %a = arith.divsi %i, %four : index
    %b = arith.remsi %i, %four : index
    %c = arith.divui %i, %four : index
    %d = arith.remui %i, %four : index
    %sum = arith.addi %a, %b : index
    %x = memref.load %A[%sum] : memref<?xf64>
    %y = memref.load %A[%c] : memref<?xf64>
    %z = memref.load %A[%d] : memref<?xf64>
  }
  return
}
