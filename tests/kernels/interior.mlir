// The interior of a vector: nothing where n is 1 or 2.
//
//   for (i = 1; i < n - 1; i++) x[i];
func.func @interior(%n: index, %x: memref<?xf64>) {
  affine.for %i = 1 to affine_map<()[s] -> (s - 1)>()[%n] {
    %a = affine.load %x[%i] : memref<?xf64>
  }
  return
}
