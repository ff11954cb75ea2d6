// Columns of any length: the layout in rows makes each of them begin a line.
// function: columns
// rows: m=13 n=11; m=48 n=5; m=7 n=30
// simulated: m=13 n=11
// wrong: strided<[1, ?]>> => strided<[?, 1]>>
func.func @columns(%A: memref<?x?xf64, strided<[1, ?]>>, %x: memref<?xf64>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x?xf64, strided<[1, ?]>>
      %b = affine.load %x[%j] : memref<?xf64>
      %c = arith.mulf %a, %b : f64
      affine.store %c, %A[%i, %j] : memref<?x?xf64, strided<[1, ?]>>
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
  %column = call @pitch(%m, %c8) : (index, index) -> index
  %all = arith.muli %column, %n : index
  %memory = memref.alloc(%all) : memref<?xf64>
  %A = memref.reinterpret_cast %memory to offset: [0], sizes: [%m, %n], strides: [1, %column] : memref<?xf64> to memref<?x?xf64, strided<[1, ?]>>
  %x = memref.alloc(%n) : memref<?xf64>
  call @trace_start() : () -> ()
  call @columns(%A, %x, %m, %n) : (memref<?x?xf64, strided<[1, ?]>>, memref<?xf64>, index, index) -> ()
  call @trace_stop() : () -> ()
  return
}
