// Bounds and copies whose extents are those of views of arguments.
// function: extents
// rows: rows=7 columns=11; rows=24 columns=5
// simulated: rows=7 columns=11
// wrong: %across[%i, 0] => %across[0, %i floordiv 4]
func.func @extents(%A: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %A, %c0 : memref<?x?xf64>
  %columns = memref.dim %A, %c1 : memref<?x?xf64>
  %across = memref.transpose %A (i, j) -> (j, i) : memref<?x?xf64> to memref<?x?xf64, strided<[1, ?]>>
  %long = memref.dim %across, %c0 : memref<?x?xf64, strided<[1, ?]>>
  %B = memref.alloc(%long) : memref<?xf64>
  affine.for %i = 0 to %long {
    %x = affine.load %across[%i, 0] : memref<?x?xf64, strided<[1, ?]>>
    affine.store %x, %B[%i] : memref<?xf64>
  }
  %C = memref.alloc(%long) : memref<?x24xf64>
  %some = memref.subview %across[0, 1] [%long, 3] [1, 1] : memref<?x?xf64, strided<[1, ?]>> to memref<?x3xf64, strided<[1, ?], offset: ?>>
  %part = memref.subview %C[0, 0] [%long, 3] [1, 1] : memref<?x24xf64> to memref<?x3xf64, strided<[24, 1]>>
  memref.copy %some, %part : memref<?x3xf64, strided<[1, ?], offset: ?>> to memref<?x3xf64, strided<[24, 1]>>
  memref.copy %part, %some : memref<?x3xf64, strided<[24, 1]>> to memref<?x3xf64, strided<[1, ?], offset: ?>>
  %D = memref.subview %A[0, 0] [%rows, 1] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[?]>>
  affine.for %i = 0 to %rows {
    %x = affine.load %D[-%i + symbol(%rows) - 1] : memref<?xf64, strided<[?]>>
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @pitch(index, index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = call @size(%c0) : (index) -> index
  %n = call @size(%c1) : (index) -> index
  %row = call @pitch(%n, %c8) : (index, index) -> index
  %all = arith.muli %row, %m : index
  %memory = memref.alloc(%all) : memref<?xf64>
  %rows = memref.reinterpret_cast %memory to offset: [0], sizes: [%m, %n], strides: [%row, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  %A = memref.cast %rows : memref<?x?xf64, strided<[?, 1]>> to memref<?x?xf64>
  call @trace_start() : () -> ()
  call @extents(%A) : (memref<?x?xf64>) -> ()
  call @trace_stop() : () -> ()
  return
}
