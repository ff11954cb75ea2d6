// Rows a distance apart that only the caller knows, from an offset that it knows: the first element begins a line.
// function: rows
// rows: m=5 n=19; m=9 n=48
// wrong: strided<[?, 1] => strided<[1, ?]
func.func @rows(%A: memref<?x?xf32, strided<[?, 1], offset: ?>>, %m: index, %n: index) {
  affine.for %i = 0 to affine_map<(d0) -> (d0 - 1)>(%m) {
    affine.for %j = 1 to %n {
      %x = affine.load %A[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
      %y = affine.load %A[%i + 1, %j - 1] : memref<?x?xf32, strided<[?, 1], offset: ?>>
      affine.store %y, %A[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
    }
  }
  return
}

// How it is run: the offset is a line.
func.func private @size(index) -> index
func.func private @pitch(index, index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = call @size(%c0) : (index) -> index
  %n = call @size(%c1) : (index) -> index
  %row = call @pitch(%n, %c4) : (index, index) -> index
  %more = arith.addi %m, %c1 : index
  %all = arith.muli %row, %more : index
  %memory = memref.alloc(%all) : memref<?xf32>
  %A = memref.reinterpret_cast %memory to offset: [%row], sizes: [%m, %n], strides: [%row, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  call @trace_start() : () -> ()
  call @rows(%A, %m, %n) : (memref<?x?xf32, strided<[?, 1], offset: ?>>, index, index) -> ()
  call @trace_stop() : () -> ()
  return
}
