// Branches on data, of which the user says how often their conditions hold; what they result in is not known.
// OPTIONS: --branch 8=1 --branch 12=0 --branch 16=1/3 --branch 25=1/2
func.func @kept(%A: memref<?xf32>, %B: memref<?xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n step 2 {
    %x = affine.load %A[%i] : memref<?xf32>
    %positive = arith.cmpf ogt, %x, %zero : f32
    scf.if %positive {
      affine.store %x, %B[%i] : memref<?xf32>
    }
    %negative = arith.cmpf olt, %x, %zero : f32
    scf.if %negative {
      affine.store %zero, %B[%i] : memref<?xf32>
    }
    %small = arith.cmpf olt, %x, %zero : f32
    %y = scf.if %small -> f32 {
      %z = affine.load %B[%i + 1] : memref<?xf32>
      scf.yield %z : f32
    } else {
      affine.store %zero, %A[%i] : memref<?xf32>
      scf.yield %zero : f32
    }
    affine.for %j = 0 to 8 {
      %other = arith.cmpf olt, %y, %zero : f32
      scf.if %other {
        affine.store %zero, %A[%j] : memref<?xf32>
      }
    }
  }
  return
}
