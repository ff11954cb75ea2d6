// Collapsed shapes of which an extent is a size: [n, 5] has 5n elements, [1, n] and [n, 1] have n.
// function: collapsed
// linear: A_dim0=7 B_dim1=11; A_dim0=19 B_dim1=5
// wrong: %flat[%i] => %flat[%i floordiv 2]
func.func @collapsed(%A: memref<?x5xf32>, %B: memref<1x?xf32>, %C: memref<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %flat = memref.collapse_shape %A [[0, 1]] : memref<?x5xf32> into memref<?xf32>
  %all = memref.dim %flat, %c0 : memref<?xf32>
  affine.for %i = 0 to %all {
    %x = affine.load %flat[%i] : memref<?xf32>
    affine.store %x, %flat[-%i + symbol(%all) - 1] : memref<?xf32>
  }
  %row = memref.collapse_shape %B [[0, 1]] : memref<1x?xf32> into memref<?xf32>
  %column = memref.collapse_shape %C [[0, 1]] : memref<?x1xf32> into memref<?xf32>
  %length = memref.dim %row, %c0 : memref<?xf32>
  affine.for %i = 0 to %length {
    %x = affine.load %row[%i] : memref<?xf32>
    affine.store %x, %column[%i] : memref<?xf32>
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %n = call @size(%c0) : (index) -> index
  %c1 = arith.constant 1 : index
  %m = call @size(%c1) : (index) -> index
  %A = memref.alloc(%n) : memref<?x5xf32>
  %B = memref.alloc(%m) : memref<1x?xf32>
  %C = memref.alloc(%m) : memref<?x1xf32>
  call @trace_start() : () -> ()
  call @collapsed(%A, %B, %C) : (memref<?x5xf32>, memref<1x?xf32>, memref<?x1xf32>) -> ()
  call @trace_stop() : () -> ()
  return
}
