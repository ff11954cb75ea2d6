// Regions that are executed once; an update that loads and stores; negative bounds.
func.func @scopes(%n: index, %A: memref<?xf64>) {
  %one = arith.constant 1.0 : f64
  %size = memref.alloca_scope -> (index) {
    %local = memref.alloca() : memref<8xf64>
    %x = affine.load %local[3] : memref<8xf64>
    %half = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%n]
    memref.alloca_scope.return %half : index
  }
  affine.for %i = -4 to %size {
    %i4 = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
    scf.execute_region {
      %old = memref.atomic_rmw addf %one, %A[%i4] : (f64, memref<?xf64>) -> f64
      scf.yield
    }
  }
  return
}
