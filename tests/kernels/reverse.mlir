// A vector of lines, read forwards and written backwards.
//
//   for (i = 0; i < n; i++) x[i];
//   for (i = 0; i < n; i++) x[n - 1 - i] = 0;
func.func @reverse(%n: index, %x: memref<?xf64>, %zero: f64) {
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<?xf64>
  }
  affine.for %i = 0 to %n {
    affine.store %zero, %x[-%i + symbol(%n) - 1] : memref<?xf64>
  }
  return
}
