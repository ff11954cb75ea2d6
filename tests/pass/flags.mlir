// Arguments that only branches depend on are parameters that may be 0 or negative.
func.func @flags(%ta: i32, %tb: i32, %n: index, %b: memref<?x?xf64>, %c: memref<?x?xf64>) {
  %zero = arith.constant 0 : i32
  %transposes_a = arith.cmpi ne, %ta, %zero : i32
  %transposes_b = arith.cmpi ne, %tb, %zero : i32
  %transposes = arith.ori %transposes_a, %transposes_b : i1
  scf.if %transposes {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %x = affine.load %b[%j, %i] : memref<?x?xf64>
        affine.store %x, %c[%i, %j] : memref<?x?xf64>
      }
    }
  } else {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %x = affine.load %b[%i, %j] : memref<?x?xf64>
        affine.store %x, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}
