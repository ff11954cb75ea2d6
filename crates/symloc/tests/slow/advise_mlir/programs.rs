//! Functions in MLIR that `advise` has other orders for.

/// Functions that run over columns first, so that another order is proposed: what they show, sizes, and their
/// text.
pub(super) const PROGRAMS: [(&str, &str, &str); 15] = [
    (
        "loops of scf, a branch, an induction variable as a number, an array between the loops",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %p = arith.cmpi sgt, %i, %c3 : index
      scf.if %p {
        %v = memref.load %a[%i, %j] : memref<?x?xf32>
        %k = arith.index_cast %i : index to i32
        %f = arith.sitofp %k : i32 to f32
        %s = arith.addf %v, %f : f32
        memref.store %s, %b[%i, %j] : memref<?x?xf32>
      } else {
        %v = memref.load %a[%j, %i] : memref<?x?xf32>
        memref.store %v, %b[%i, %j] : memref<?x?xf32>
      }
    }
  }
  %t = memref.alloc(%n, %n) : memref<?x?xf32>
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %b[%i, %j] : memref<?x?xf32>
      memref.store %v, %t[%i, %j] : memref<?x?xf32>
    }
  }
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c1 to %n step %c3 {
      %v = memref.load %t[%i, %j] : memref<?x?xf32>
      memref.store %v, %a[%i, %j] : memref<?x?xf32>
    }
  }
  memref.dealloc %t : memref<?x?xf32>
  return
}",
    ),
    (
        "either of two conditions",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %p = arith.cmpi sgt, %i, %j : index
      %q = arith.cmpi slt, %i, %c3 : index
      %r = arith.ori %p, %q : i1
      scf.if %r {
        %v = memref.load %a[%i, %j] : memref<?x?xf64>
        %w = arith.addf %v, %v : f64
        memref.store %w, %b[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}",
    ),
    (
        "both of two conditions and equality, affine.if with two sides, affine.apply",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n step 2 {
      affine.if affine_set<(i, j)[n] : (i - j >= 0, n - i - 3 >= 0)>(%i, %j)[%n] {
        %r = affine.apply affine_map<(i)[n] -> (n - i - 1)>(%i)[%n]
        %v = affine.load %a[%r, %j] : memref<?x?xf64>
        affine.store %v, %b[%i, %j] : memref<?x?xf64>
      } else {
        %v = affine.load %b[%i, %j] : memref<?x?xf64>
        %w = arith.mulf %v, %v : f64
        affine.store %w, %b[%i, %j] : memref<?x?xf64>
      }
      affine.if affine_set<(i, j) : (i mod 4 == 0)>(%i, %j) {
        %v = affine.load %b[%i, %j] : memref<?x?xf64>
        affine.store %v, %a[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}",
    ),
    (
        "a sum that a loop carries",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf64>, %s: memref<?xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %j = 0 to %n {
    %sum = affine.for %i = 0 to %n iter_args(%in = %zero) -> (f64) {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      %w = arith.addf %in, %v : f64
      affine.yield %w : f64
    }
    affine.store %sum, %s[%j] : memref<?xf64>
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      %m = affine.load %s[%j] : memref<?xf64>
      %w = arith.subf %v, %m : f64
      affine.store %w, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}",
    ),
    (
        "two values that a loop carries and exchanges",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>, %s: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  affine.for %j = 0 to %n {
    %x, %y = affine.for %i = 0 to %n iter_args(%p = %zero, %q = %one) -> (f32, f32) {
      %v = affine.load %a[%j, %i] : memref<?x?xf32>
      %w = arith.addf %p, %v : f32
      affine.yield %q, %w : f32, f32
    }
    %z = arith.subf %x, %y : f32
    affine.store %z, %s[%j] : memref<?xf32>
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %v, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}",
    ),
    (
        "a value of an outer loop, one that is used behind a loop, and one that is returned",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>, %s: memref<?xf64>) {
  affine.for %k = 0 to %n {
    %u = affine.load %s[%k] : memref<?xf64>
    %d = arith.mulf %u, %u : f64
    affine.for %j = 0 to %n {
      affine.for %i = 0 to %n {
        %v = affine.load %a[%i, %j] : memref<?x?xf64>
        %w = arith.addf %v, %d : f64
        affine.store %w, %a[%i, %j] : memref<?x?xf64>
      }
    }
    affine.store %d, %s[%k] : memref<?xf64>
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      affine.store %v, %b[%i, %j] : memref<?x?xf64>
    }
  }
  return
}",
    ),
    (
        "a branch that yields a number",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %x = affine.if affine_set<(i, j) : (i - j >= 0)>(%i, %j) -> f64 {
        %v = affine.load %a[%i, %j] : memref<?x?xf64>
        affine.yield %v : f64
      } else {
        %v = affine.load %b[%i, %j] : memref<?x?xf64>
        affine.yield %v : f64
      }
      affine.store %x, %b[%i, %j] : memref<?x?xf64>
    }
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %v = affine.load %b[%i, %j] : memref<?x?xf64>
      affine.store %v, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}",
    ),
    (
        "arrays that iterations allocate, and a copy",
        "n=77,b_dim0=77,b_dim1=77",
        "func.func @f(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      affine.store %v, %b[%i, %j] : memref<?x?xf64>
    }
  }
  memref.copy %b, %a : memref<?x?xf64> to memref<?x?xf64>
  affine.for %j = 0 to %n {
    %t = memref.alloc(%n) : memref<?xf64>
    affine.for %i = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      affine.store %v, %t[%i] : memref<?xf64>
    }
    affine.for %i = 0 to %n {
      %v = affine.load %t[%i] : memref<?xf64>
      affine.store %v, %b[%j, %i] : memref<?x?xf64>
    }
    memref.dealloc %t : memref<?xf64>
  }
  return
}",
    ),
    (
        "operations on whole arrays of constant size",
        "",
        "func.func @f(%n: index, %a: memref<64x96xf32>, %b: memref<96x80xf32>, %c: memref<64x80xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x80xf32>)
  linalg.matmul ins(%a, %b : memref<64x96xf32>, memref<96x80xf32>) outs(%c : memref<64x80xf32>)
  return
}",
    ),
    (
        "extents as sizes, and 32-bit counters",
        "m=61,rows=77",
        "func.func @f(%n: index, %m: i32, %a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  affine.for %i = 0 to 3 {
    %v = affine.load %a[0, %i] : memref<?x?xf64>
    affine.store %v, %b[0, %i] : memref<?x?xf64>
  }
  %rows = memref.dim %a, %c0 : memref<?x?xf64>
  scf.for %j = %i0 to %m step %i1 : i32 {
    scf.for %i = %c0 to %rows step %c1 {
      %k = arith.index_cast %j : i32 to index
      %v = memref.load %a[%i, %k] : memref<?x?xf64>
      %w = arith.sitofp %j : i32 to f64
      %s = arith.addf %v, %w : f64
      memref.store %s, %b[%i, %k] : memref<?x?xf64>
    }
  }
  return
}",
    ),
    (
        "several bounds on a side, two statements whose accesses alternate",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  affine.for %j = 0 to %n {
    affine.for %i = max affine_map<(j)[n] -> (j - 5, 0)>(%j)[%n] to min affine_map<(j)[n] -> (j + 7, n)>(%j)[%n] {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      %u = affine.load %b[%i, %j] : memref<?x?xf64>
      affine.store %v, %b[%i, %j] : memref<?x?xf64>
      affine.store %u, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}",
    ),
    (
        "views of arrays, in loops and between them",
        "",
        "func.func @f(%n: index, %a: memref<200x200xf64>, %b: memref<200x200xf64>) {
  affine.for %j = 0 to 100 {
    affine.for %i = 0 to 100 {
      %v = affine.load %a[%i, %j] : memref<200x200xf64>
      affine.store %v, %b[%i, %j] : memref<200x200xf64>
    }
  }
  %part = memref.subview %b[50, 50] [100, 100] [1, 1]
    : memref<200x200xf64> to memref<100x100xf64, strided<[200, 1], offset: 10050>>
  affine.for %j = 0 to 100 {
    affine.for %i = 0 to 100 {
      %row = memref.subview %a[%i, 0] [1, 100] [1, 1]
        : memref<200x200xf64> to memref<100xf64, strided<[1], offset: ?>>
      %v = memref.load %part[%i, %j] : memref<100x100xf64, strided<[200, 1], offset: 10050>>
      memref.store %v, %row[%j] : memref<100xf64, strided<[1], offset: ?>>
    }
  }
  return
}",
    ),
    (
        "updates in place",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      %w = memref.atomic_rmw addf %v, %b[%i, %j] : (f64, memref<?x?xf64>) -> f64
    }
  }
  return
}",
    ),
    (
        "branches on data, one of which yields a number",
        "n=77",
        "func.func @f(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>, %x: f64) {
  %one = arith.constant 1.0 : f64
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      %p = arith.cmpf ogt, %v, %one : f64
      scf.if %p {
        affine.store %v, %b[%i, %j] : memref<?x?xf64>
      } else {
        affine.if affine_set<(i) : (i - 3 >= 0)>(%i) {
          %u = affine.load %b[%i, %j] : memref<?x?xf64>
          %w = arith.subf %u, %x : f64
          affine.store %w, %b[%i, %j] : memref<?x?xf64>
        }
      }
    }
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %q = arith.cmpf ogt, %x, %one : f64
      scf.if %q {
        %r = affine.apply affine_map<(i)[n] -> (n - i - 1)>(%i)[%n]
        %v = affine.load %b[%r, %j] : memref<?x?xf64>
        affine.store %v, %a[%i, %j] : memref<?x?xf64>
      }
    }
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %n {
      %v = affine.load %a[%i, %j] : memref<?x?xf64>
      %p = arith.cmpf ogt, %v, %one : f64
      %y = scf.if %p -> f64 {
        %u = affine.load %b[%i, %j] : memref<?x?xf64>
        scf.yield %u : f64
      } else {
        scf.yield %x : f64
      }
      %z = arith.addf %y, %v : f64
      affine.store %z, %b[%i, %j] : memref<?x?xf64>
    }
  }
  return
}",
    ),
    (
        "what is not in the loops stays",
        "n=77",
        "module attributes {test.kept} {
  memref.global \"private\" constant @numbers : memref<4xf64> = dense<[1.0, 2.0, 3.0, 4.0]>
  func.func @other(%x: f64) -> f64 {
    %y = arith.addf %x, %x : f64
    return %y : f64
  }
  func.func @f(%n: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>) attributes {test.own} {
    %numbers = memref.get_global @numbers : memref<4xf64>
    %first = affine.load %numbers[1] : memref<4xf64>
    affine.store %first, %a[0, 0] : memref<?x?xf64>
    affine.for %j = 0 to %n {
      affine.for %i = 0 to %n {
        %v = affine.load %a[%i, %j] : memref<?x?xf64>
        %w = arith.mulf %v, %first : f64
        affine.store %w, %b[%i, %j] : memref<?x?xf64>
      }
    }
    affine.store %first, %b[0, 0] : memref<?x?xf64>
    return
  }
}",
    ),
];
