// What makes basic blocks: calls, cases, a switch, a guard, vectors and an update of memory.
func.func @scale(%n: index, %x: memref<?xf32>) {
  %half = arith.constant 0.5 : f32
  affine.for %k = 0 to %n {
    %a = affine.load %x[%k] : memref<?xf32>
    %b = arith.mulf %a, %half : f32
    affine.store %b, %x[%k] : memref<?xf32>
  }
  return
}

func.func @blocks(%n: index, %m: index, %x: memref<?xf32>, %sum: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  func.call @scale(%n, %x) : (index, memref<?xf32>) -> ()
  affine.for %i = 0 to %n step 4 {
    // The lanes beyond the end of the array are not loaded.
    %v = vector.transfer_read %x[%i], %zero : memref<?xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    %s = vector.reduction <add>, %w : vector<4xf32> into f32
    %u = memref.atomic_rmw addf %s, %sum[] : (f32, memref<f32>) -> f32
    %e = memref.atomic_rmw assign %s, %sum[] : (f32, memref<f32>) -> f32
    affine.if affine_set<(d0)[s0, s1] : (s0 - d0 - 5 >= 0, s1 - d0 >= 0)>(%i)[%n, %m] {
      %y = affine.load %x[%i] : memref<?xf32>
      affine.store %y, %sum[] : memref<f32>
    }
  }
  affine.for %i = 0 to %m {
    %r = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
    scf.index_switch %r
    case 0 {
      affine.store %zero, %sum[] : memref<f32>
      scf.yield
    }
    case 1 {
      scf.yield
    }
    default {
      %p = affine.load %sum[] : memref<f32>
      %q = math.exp %p : f32
      affine.store %q, %sum[] : memref<f32>
    }
    // Two cases of one bound, so the loop is read twice.
    %d = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %even = arith.cmpi eq, %d, %c0 : index
    %end = arith.select %even, %n, %i : index
    scf.for %j = %c0 to %end step %c4 {
      memref.store %zero, %x[%j] : memref<?xf32>
    }
  }
  func.call @scale(%m, %x) : (index, memref<?xf32>) -> ()
  return
}
