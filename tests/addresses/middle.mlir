// Neighbours lie along the dimension in the middle.
// function: middle
// linear:
// wrong: strided<[35, 1, 5]>> => strided<[35, 7, 1]>>
func.func @middle(%A: memref<3x5x7xf32, strided<[35, 1, 5]>>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 7 {
        %x = affine.load %A[%i, %j, %k] : memref<3x5x7xf32, strided<[35, 1, 5]>>
      }
    }
  }
  affine.for %k = 0 to 7 {
    affine.for %j = 0 to 5 {
      %x = affine.load %A[1, %j, %k] : memref<3x5x7xf32, strided<[35, 1, 5]>>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %memory = memref.alloc() : memref<105xf32>
  %A = memref.reinterpret_cast %memory to offset: [0], sizes: [3, 5, 7], strides: [35, 1, 5] : memref<105xf32> to memref<3x5x7xf32, strided<[35, 1, 5]>>
  call @trace_start() : () -> ()
  call @middle(%A) : (memref<3x5x7xf32, strided<[35, 1, 5]>>) -> ()
  call @trace_stop() : () -> ()
  return
}
