//! `symloc advise` for MLIR: the text in a new order is valid, can be read again, and computes the same.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{STEPS, nothing_from, parameters, root, symloc};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Functions that run over columns first, so that another order is proposed: what they show, sizes, and their
/// text.
const PROGRAMS: [(&str, &str, &str); 15] = [
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

/// Runs `advise` with small caches on a function `f`; returns the answer.
fn advised(file: &Path, sizes: &str, new: &Path) -> Result<String, String> {
    let _ = fs::remove_file(new);
    let sizes: Vec<&str> = if sizes.is_empty() { Vec::new() } else { vec!["-D", sizes] };
    let options = ["--function", "f", "--cache", "1KiB,4", "--cache", "4KiB,8", "--search-time", "30", "--top", "3"];
    let (file, new) = (file.to_str().unwrap(), new.to_str().unwrap());
    let (answer, errors, status) =
        symloc(&[&["advise", file][..], &sizes, &options, &["--format", "json", "--run", "-o", new]].concat());
    if status == Some(0) && !answer.contains("\"is_equal\":false") && answer.contains("\"is_equal\":true") {
        Ok(answer)
    } else {
        Err(format!("{answer}{errors}"))
    }
}

#[test]
fn programs_compute_the_same_in_new_orders() {
    let folder = folder("advise-mlir");
    nothing_from(PROGRAMS.iter().enumerate(), |(index, (what, sizes, program))| {
        let [file, new] = ["", "_new"].map(|end| folder.join(format!("program{index}{end}.mlir")));
        fs::write(&file, format!("{program}\n")).unwrap();
        let answer = match advised(&file, sizes, &new) {
            Err(error) => return Some(format!("{what}: {error}")),
            Ok(answer) => answer,
        };
        // Without a new order, nothing was tested.
        if !answer.contains("\"moves\":[") || answer.contains("\"orders\":[]") {
            return Some(format!("{what}: no other order: {answer}"));
        }
        let (_, errors, status) = match new.exists() {
            true => symloc(&["derive", new.to_str().unwrap(), "--function", "f", "--emit", "affine"]),
            false => return None,
        };
        // Where conditions depend on data, the function as written has no model either.
        if program.contains("arith.cmpf") {
            return None;
        }
        (status != Some(0)).then(|| format!("{what}: {errors}"))
    });
}

#[test]
fn what_is_not_in_the_loops_stays() {
    let folder = folder("advise-mlir-kept");
    let (file, new) = (folder.join("kept.mlir"), folder.join("kept_new.mlir"));
    let (.., program) = PROGRAMS[PROGRAMS.len() - 1];
    fs::write(&file, program).unwrap();
    let options = ["--function", "f", "-D", "n=77", "--cache", "1KiB,4", "--search-time", "2", "-o"];
    let (_, errors, status) =
        symloc(&[&["advise", file.to_str().unwrap()][..], &options, &[new.to_str().unwrap()]].concat());
    assert_eq!(status, Some(0), "{errors}");
    let text = fs::read_to_string(&new).unwrap();
    for kept in ["test.kept", "test.own", "@numbers", "@other", "%a[0, 0]", "%b[0, 0]", "%n: index, %a: memref"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    let loops = (text.find("affine.for %i"), text.find("affine.for %j"));
    assert!(loops.0.is_some() && loops.0 < loops.1, "{text}");
}

/// The bodies of functions that cannot be advised on, and what is said of them.
const REFUSED: [(&str, &str, &str); 12] = [
    ("affine.store %zero, %a[0] : memref<?xf64>", ":2:1", "the function has no loop"),
    (
        "affine.for %i = 0 to %n {
  %v = affine.load %a[%i] : memref<?xf64>
  %w = func.call @other(%v) : (f64) -> f64
  affine.store %w, %a[%i] : memref<?xf64>
}",
        ":6:8",
        "this `func.call` cannot be moved: a call between the loops",
    ),
    (
        "affine.for %i = 0 to %n {
  %k = affine.load %p[%i] : memref<?xindex>
  memref.store %zero, %a[%k] : memref<?xf64>
}",
        ":6:3",
        "subscript 1 of this `memref.store` is not affine",
    ),
    (
        "%r = affine.for %i = 0 to %n iter_args(%k = %c0) -> (index) {
  memref.store %zero, %a[%k] : memref<?xf64>
  %next = arith.addi %k, %c2 : index
  affine.yield %next : index
}",
        ":4:6",
        "`affine.for` has a result",
    ),
    (
        "affine.parallel (%i) = (0) to (%n) {
  affine.store %zero, %a[%i] : memref<?xf64>
}",
        ":4:1",
        "only `affine.for` and `scf.for` are reordered",
    ),
    (
        "affine.for %i = 0 to %n step 4 {
  %v = affine.vector_load %a[%i] : memref<?xf64>, vector<4xf64>
  affine.vector_store %v, %a[%i] : memref<?xf64>, vector<4xf64>
}",
        ":5:8",
        "it accesses several elements at once",
    ),
    (
        "affine.for %i = 0 to %n {
  %v = affine.load %a[%i] : memref<?xf64>
  %h = arith.cmpf ogt, %v, %zero : f64
  cf.assert %h, \"positive\"
  affine.store %zero, %a[%i] : memref<?xf64>
}",
        ":7:3",
        "this `cf.assert` cannot be moved",
    ),
    (
        "affine.for %i = 0 to %n {
  %m = affine.load %p[%i] : memref<?xindex>
  scf.for %j = %c0 to %m step %c2 {
    memref.store %zero, %a[%j] : memref<?xf64>
  }
}",
        ":6:3",
        "the upper bound of this loop is not affine",
    ),
    (
        "affine.for %i = 0 to %n {
  %q = memref.load %p[%c0] : memref<?xindex>
  affine.for %j = 0 to %n {
    memref.store %q, %p[%j] : memref<?xindex>
  }
}",
        ":7:5",
        "`%q` is read or computed outside of the loop or branch that this `memref.store` is in",
    ),
    (
        "scf.while : () -> () {
  %v = memref.load %a[%c0] : memref<?xf64>
  %h = arith.cmpf ogt, %v, %zero : f64
  scf.condition(%h)
} do {
  memref.store %zero, %a[%c0] : memref<?xf64>
  scf.yield
}",
        ":4:1",
        "the number of iterations of this `scf.while` is not known",
    ),
    (
        "affine.for %i = 0 to %n {
  affine.prefetch %a[%i], read, locality<3>, data : memref<?xf64>
  affine.store %zero, %a[%i] : memref<?xf64>
}",
        ":5:3",
        "this `affine.prefetch` cannot be moved",
    ),
    (
        "affine.for %i = 0 to %n {
  %v = affine.load %a[%i] : memref<?xf64>
  %h = arith.cmpf ogt, %v, %zero : f64
  scf.if %h {
    affine.for %j = 0 to %n {
      affine.store %zero, %a[%j] : memref<?xf64>
    }
  }
}",
        ":8:5",
        "whether this loop runs depends on data",
    ),
];

#[test]
fn what_cannot_be_moved_is_refused() {
    let folder = folder("advise-mlir-refused");
    nothing_from(REFUSED.iter().enumerate(), |(index, (body, place, reason))| {
        let file = folder.join(format!("refused{index}.mlir"));
        let text = format!(
            "func.func @other(%x: f64) -> f64 {{ return %x : f64 }}\n\
             func.func @f(%n: index, %a: memref<?xf64>, %p: memref<?xindex>) {{\n\
             %zero = arith.constant 0.0 : f64 %c0 = arith.constant 0 : index %c2 = arith.constant 2 : index\n\
             {body}\nreturn\n}}\n"
        );
        fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        let (_, errors, status) = symloc(&["advise", file, "--function", "f", "-D", "n=100", "--cache", "1KiB"]);
        let is_said = errors.contains(reason) && errors.contains(&format!("{file}{place}: error: "));
        (status == Some(0) || !is_said).then(|| format!("{body}: {status:?}: {errors}"))
    });
}

/// Options that would hide accesses, and files that are not written anew.
#[test]
fn what_would_hide_accesses_is_refused() {
    let cases: [(&[&str], &str); 4] = [
        (&["polybench/gemm.mlir", "--gather", "distinct"], "--gather declares which elements are read"),
        (&["polybench/gemm.mlir", "--ignore-calls", "all"], "--ignore-calls leaves accesses out"),
        (&["tests/c/fortran/arrays.f90"], "advise reads C, C++, MLIR and einsums only"),
        (&["polybench/gemm.mlir", "--assume", "ni in 8, 16"], "--assume gives several values"),
    ];
    for (options, reason) in cases {
        let (_, errors, status) = symloc(&[&["advise"], options, &["--dataset", "mini", "--cache", "1KiB"]].concat());
        assert!(status != Some(0) && errors.contains(reason), "{options:?}: {errors}");
    }
}

/// An einsum is written as loops in MLIR.
#[test]
fn einsums_compute_the_same_in_new_orders() {
    let new = folder("advise-einsum").join("new.mlir");
    let options = ["-D", "i=j=k=40,b=3", "--cache", "1KiB,4", "--order", "b, k:8, i, j", "--run", "-o"];
    let (answer, errors, _) =
        symloc(&[&["advise", "einsum/batch_matmul.einsum"], &options[..], &[new.to_str().unwrap()]].concat());
    assert!(answer.contains("1. predicted") && !answer.contains("OTHER RESULTS"), "{answer}{errors}");
    let text = fs::read_to_string(new).unwrap();
    assert!(text.contains("func.func @einsum") && text.contains("affine.for"), "{text}");
}

fn kernels() -> Vec<String> {
    let entries = fs::read_dir(root().join("polybench")).unwrap();
    let names = entries.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".mlir").map(str::to_owned)).collect();
    names.sort();
    names
}

/// Kernels whose new text the front end does not read, with the reason.
const NOT_DERIVED: [(&str, &str); 0] = [];

#[test]
fn kernels_compute_the_same_in_new_orders() {
    let kernels = kernels();
    assert!(kernels.len() >= 30, "{kernels:?}");
    nothing_from(kernels.iter(), |kernel| check(kernel).err());
}

fn check(kernel: &str) -> Result<(), String> {
    let file = format!("polybench/{kernel}.mlir");
    let new = folder("advise-mlir-kernels").join(format!("{kernel}.mlir"));
    let _ = fs::remove_file(&new);
    let wrong = |said: &str| format!("{kernel}: {said}");
    // Odd sizes, which no tile divides.
    let names = parameters(&file, &[]);
    let sizes = |first: usize| {
        let size = move |(index, name): (usize, &String)| {
            let value = if STEPS.contains(&name.as_str()) { 3 } else { first + 6 * index };
            ["-D".to_owned(), format!("{name}={value}")]
        };
        names.iter().enumerate().flat_map(size).collect::<Vec<_>>()
    };
    let caches = ["--cache", "512,2", "--cache", "4KiB,8", "--run", "--top", "3", "--search-time", "3", "-o"];
    let given = sizes(37);
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let new_path = new.to_str().unwrap();
    let (answer, errors, status) = symloc(&[&["advise", &file], &given[..], &caches, &[new_path]].concat());
    if status != Some(0) || !answer.contains("\nas written: misses L1") || answer.contains("OTHER RESULTS") {
        return Err(wrong(&format!("{answer}{errors}")));
    }
    if !new.exists() {
        let nothing = ["no order that was tried", "none of these is faster"];
        let is_nothing = nothing.iter().any(|said| answer.contains(said));
        return if is_nothing { Ok(()) } else { Err(wrong(&answer)) };
    }
    let (_, read_errors, status) = symloc(&["derive", new_path, "--emit", "affine"]);
    let is_known = NOT_DERIVED.iter().any(|(name, reason)| *name == kernel && read_errors.contains(reason));
    if status != Some(0) {
        return if is_known { Ok(()) } else { Err(wrong(&read_errors)) };
    }
    // At other sizes than it was made for it touches the same elements as often; what is kept in memory is touched more.
    if errors.contains("kept in arrays of one element") {
        return Ok(());
    }
    for first in [1, 2, 8, 19] {
        let given = sizes(first);
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let counts = |file: &str| {
            let (answer, errors, status) =
                symloc(&[&["simulate", file], &given[..], &["--histogram", "--json", "--element"]].concat());
            let number = |key: &str| {
                let rest = answer.split_once(&format!("\"{key}\":")).map_or("", |(_, rest)| rest);
                rest.split([',', '}']).next().unwrap_or_default().to_owned()
            };
            if status == Some(0) { Ok((number("accesses"), number("blocks"))) } else { Err(wrong(&errors)) }
        };
        let (written, reordered) = (counts(&file)?, counts(new_path)?);
        if written != reordered || written.0.is_empty() {
            return Err(wrong(&format!("{given:?}: {written:?} became {reordered:?}")));
        }
    }
    Ok(())
}
