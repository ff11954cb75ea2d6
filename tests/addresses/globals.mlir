// A constant table and a scalar of the module, read through views.
// function: globals
// lines: 64
// linear: n=5; n=6
// wrong: %table[%j, 1] [1, %n] => %table[1, %j] [1, %n]
memref.global "private" @table : memref<7x13xf64> = uninitialized {alignment = 64}
memref.global "private" @scalar : memref<f64> = uninitialized {alignment = 64}
func.func @globals(%A: memref<?xf64>, %n: index) {
  %table = memref.get_global @table : memref<7x13xf64>
  %scalar = memref.get_global @scalar : memref<f64>
  affine.for %j = 0 to %n {
    %part = memref.subview %table[%j, 1] [1, %n] [1, 2] : memref<7x13xf64> to memref<?xf64, strided<[2], offset: ?>>
    %dynamic = memref.cast %part : memref<?xf64, strided<[2], offset: ?>> to memref<?xf64, strided<[?], offset: ?>>
    affine.for %i = 0 to %n {
      %x = memref.load %dynamic[%i] : memref<?xf64, strided<[?], offset: ?>>
      affine.store %x, %scalar[] : memref<f64>
      affine.store %x, %A[%i] : memref<?xf64>
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
  %n = call @size(%c0) : (index) -> index
  %A = memref.alloc(%n) : memref<?xf64>
  call @trace_start() : () -> ()
  call @globals(%A, %n) : (memref<?xf64>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
