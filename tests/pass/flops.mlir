// What counts as a floating-point operation, and where.
func.func @flops(%n: index, %a: memref<?xf32>, %v: memref<?x8xf64>, %s: memref<f64>, %q: memref<?xi32>) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    // One for each of these.
    %0 = arith.addf %x, %x : f32
    %1 = arith.divf %0, %x : f32
    %2 = math.sqrt %1 : f32
    %3 = arith.maximumf %2, %x : f32
    // Two.
    %4 = math.fma %0, %1, %3 : f32
    // None.
    %5 = arith.negf %4 : f32
    %6 = math.absf %5 : f32
    %7 = arith.cmpf olt, %6, %x : f32
    %8 = arith.select %7, %6, %x : f32
    %9 = arith.extf %8 : f32 to f64
    %10 = math.floor %9 : f64
    affine.store %8, %a[%i] : memref<?xf32>
    // Integers are none.
    %11 = affine.load %q[%i] : memref<?xi32>
    %12 = arith.muli %11, %11 : i32
    affine.store %12, %q[%i] : memref<?xi32>
    // A reduction to one element, and an atomic addition of a float: 8 and 1.
    %13 = affine.vector_load %v[%i, 0] : memref<?x8xf64>, vector<1xf64>
    %14 = arith.constant dense<1.0> : vector<8xf64>
    %15 = vector.reduction <add>, %14, %10 : vector<8xf64> into f64
    %16 = memref.atomic_rmw addf %15, %s[] : (f64, memref<f64>) -> f64
    // Only where the guard holds: 8 for a product of vectors and 16 for a fused multiply-add.
    affine.if affine_set<(i) : (i - 4 >= 0)>(%i) {
      %17 = arith.mulf %14, %14 : vector<8xf64>
      %18 = vector.fma %17, %17, %14 : vector<8xf64>
    }
  }
  return
}
