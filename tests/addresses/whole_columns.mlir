// Columns of whole lines, walked along rows: each access touches another line, in rows that begin lines as well.
// function: columns
// rows:
// linear:
// lines: 64
// wrong: strided<[1, 64]>> => strided<[64, 1]>>
func.func @columns(%A: memref<64x21xf32, strided<[1, 64]>>, %B: memref<64x5xf32, strided<[1, 128], offset: 64>>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 21 {
      %x = affine.load %A[%i, %j] : memref<64x21xf32, strided<[1, 64]>>
      affine.store %x, %B[-%i + 63, %j mod 5] : memref<64x5xf32, strided<[1, 128], offset: 64>>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %memory_a = memref.alloc() : memref<1344xf32>
  %memory_b = memref.alloc() : memref<704xf32>
  %A = memref.reinterpret_cast %memory_a to offset: [0], sizes: [64, 21], strides: [1, 64] : memref<1344xf32> to memref<64x21xf32, strided<[1, 64]>>
  %B = memref.reinterpret_cast %memory_b to offset: [64], sizes: [64, 5], strides: [1, 128] : memref<704xf32> to memref<64x5xf32, strided<[1, 128], offset: 64>>
  call @trace_start() : () -> ()
  call @columns(%A, %B) : (memref<64x21xf32, strided<[1, 64]>>, memref<64x5xf32, strided<[1, 128], offset: 64>>) -> ()
  call @trace_stop() : () -> ()
  return
}
