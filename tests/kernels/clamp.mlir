// Branches on data: of a loop, and inside one of its sides. Subscripts on data, too.
func.func @clamp(%n: index, %limit: f64, %A: memref<?xf64>, %I: memref<?xindex>, %B: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %c = arith.cmpf ogt, %a, %limit : f64
    scf.if %c {
      %k = affine.load %I[%i] : memref<?xindex>
      %b = memref.load %B[%k] : memref<?xf64>
      %s = arith.addf %b, %a : f64
      memref.store %s, %B[%k] : memref<?xf64>
      scf.for %j = %c0 to %i step %c1 {
        %x = memref.load %B[%j] : memref<?xf64>
        %y = arith.cmpf olt, %x, %limit : f64
        scf.if %y {
          memref.store %limit, %B[%j] : memref<?xf64>
        } else {
          %z = arith.mulf %x, %x : f64
          memref.store %z, %B[%j] : memref<?xf64>
        }
      }
    }
  }
  return
}
