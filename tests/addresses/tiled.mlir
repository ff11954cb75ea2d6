// Loops that a pass tiles, over an array in columns; symloc runs the same pass.
// function: tiled
// passes: func.func(affine-loop-tile{tile-sizes=4,3})
// flags: --passes 'func.func(affine-loop-tile{tile-sizes=4,3})'
// rows: m=13 n=11; m=24 n=7
// wrong: %A[%j, %i] => %A[%i, %j]
func.func @tiled(%A: memref<?x?xf64, strided<[1, ?]>>, %B: memref<?x?xf64, strided<[1, ?]>>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %x = affine.load %A[%j, %i] : memref<?x?xf64, strided<[1, ?]>>
      affine.store %x, %B[%i, %j] : memref<?x?xf64, strided<[1, ?]>>
    }
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
  %a = call @pitch(%n, %c8) : (index, index) -> index
  %b = call @pitch(%m, %c8) : (index, index) -> index
  %all_a = arith.muli %a, %m : index
  %all_b = arith.muli %b, %n : index
  %memory_a = memref.alloc(%all_a) : memref<?xf64>
  %memory_b = memref.alloc(%all_b) : memref<?xf64>
  %A = memref.reinterpret_cast %memory_a to offset: [0], sizes: [%n, %m], strides: [1, %a] : memref<?xf64> to memref<?x?xf64, strided<[1, ?]>>
  %B = memref.reinterpret_cast %memory_b to offset: [0], sizes: [%m, %n], strides: [1, %b] : memref<?xf64> to memref<?x?xf64, strided<[1, ?]>>
  call @trace_start() : () -> ()
  call @tiled(%A, %B, %m, %n) : (memref<?x?xf64, strided<[1, ?]>>, memref<?x?xf64, strided<[1, ?]>>, index, index) -> ()
  call @trace_stop() : () -> ()
  return
}
