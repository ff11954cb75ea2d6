// An extent that is a size expanded to rows of 7, and rows of a size to blocks of 3 columns.
// function: expanded
// linear: n=5; n=12
// simulated: n=5; n=12
// wrong: %back[3 * %i] => %back[4 * %i]
func.func @expanded(%A: memref<?xf64>, %n: index) {
  %matrix = memref.expand_shape %A [[0, 1]] output_shape [%n, 7] : memref<?xf64> into memref<?x7xf64>
  affine.for %j = 0 to 7 {
    affine.for %i = 0 to %n {
      %x = affine.load %matrix[%i, %j] : memref<?x7xf64>
    }
  }
  %back = memref.collapse_shape %matrix [[0, 1]] : memref<?x7xf64> into memref<?xf64>
  affine.for %i = 0 to %n {
    %x = affine.load %back[3 * %i] : memref<?xf64>
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %n = call @size(%c0) : (index) -> index
  %all = arith.muli %n, %c7 : index
  %A = memref.alloc(%all) : memref<?xf64>
  call @trace_start() : () -> ()
  call @expanded(%A, %n) : (memref<?xf64>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
