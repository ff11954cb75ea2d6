// Memory whose rank is not known: as blocks with rows %ld apart, and with the extents that it turns out to have. What such a
// memref is, is read before the trace starts: MLIR keeps that in memory.
// function: unranked
// rows: n=20 ld=24; n=31 ld=48
// flags: --ignore-calls trace_start
// wrong: %block[%i, %j] => %block[%j, %i]
func.func @unranked(%U: memref<*xf64>, %W: memref<*xf64>, %n: index, %ld: index) {
  %block = memref.reinterpret_cast %U to offset: [%ld], sizes: [%n, %n], strides: [%ld, 1]
    : memref<*xf64> to memref<?x?xf64, strided<[?, 1], offset: ?>>
  %columns = memref.reinterpret_cast %U to offset: [1], sizes: [%n, 9], strides: [%ld, 1]
    : memref<*xf64> to memref<?x9xf64, strided<[?, 1], offset: 1>>
  %ranked = memref.cast %W : memref<*xf64> to memref<?x24xf64>
  call @trace_start() : () -> ()
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %x = affine.load %block[%i, %j] : memref<?x?xf64, strided<[?, 1], offset: ?>>
    }
  }
  affine.for %j = 0 to 9 {
    affine.for %i = 0 to %n {
      %x = affine.load %columns[%i, %j] : memref<?x9xf64, strided<[?, 1], offset: 1>>
    }
  }
  affine.for %j = 0 to 20 {
    affine.for %i = 0 to %n {
      %x = affine.load %ranked[%i, %j] : memref<?x24xf64>
      affine.store %x, %ranked[%i, %j + 1] : memref<?x24xf64>
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
  %n = call @size(%c0) : (index) -> index
  %ld = call @size(%c1) : (index) -> index
  %more = arith.addi %n, %c1 : index
  %all = arith.muli %more, %ld : index
  %U = memref.alloc(%all) : memref<?xf64>
  %W = memref.alloc(%n) : memref<?x24xf64>
  %u = memref.cast %U : memref<?xf64> to memref<*xf64>
  %w = memref.cast %W : memref<?x24xf64> to memref<*xf64>
  call @unranked(%u, %w, %n, %ld) : (memref<*xf64>, memref<*xf64>, index, index) -> ()
  call @trace_stop() : () -> ()
  return
}
