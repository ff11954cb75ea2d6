// Flat memory as a matrix and as a cube of symbolic extents.
// function: expanded_rows
// rows: m=5 n=24 k=3; m=4 n=48 k=2
// passes: lower-affine,fold-memref-alias-ops,affine-expand-index-ops
// wrong: %cube[%l, %i, %j] => %cube[%l, %i, %j floordiv 2]
func.func @expanded_rows(%A: memref<?xf64>, %B: memref<?xf64>, %m: index, %n: index, %k: index) {
  %matrix = memref.expand_shape %A [[0, 1]] output_shape [%m, %n] : memref<?xf64> into memref<?x?xf64>
  %cube = memref.expand_shape %B [[0, 1, 2]] output_shape [%k, %m, %n] : memref<?xf64> into memref<?x?x?xf64>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %x = affine.load %matrix[%i, %n - 1 - %j] : memref<?x?xf64>
      affine.for %l = 0 to %k {
        affine.store %x, %cube[%l, %i, %j] : memref<?x?x?xf64>
      }
    }
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %m {
      %x = affine.load %matrix[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = call @size(%c0) : (index) -> index
  %n = call @size(%c1) : (index) -> index
  %k = call @size(%c2) : (index) -> index
  %a = arith.muli %m, %n : index
  %b = arith.muli %a, %k : index
  %A = memref.alloc(%a) : memref<?xf64>
  %B = memref.alloc(%b) : memref<?xf64>
  call @trace_start() : () -> ()
  call @expanded_rows(%A, %B, %m, %n, %k) : (memref<?xf64>, memref<?xf64>, index, index, index) -> ()
  call @trace_stop() : () -> ()
  return
}
