// Dimensions that are expanded: of an array, of a part with a stride, of a transposed view.
// function: expanded
// linear:
// wrong: %cube[%i, %j, %k] => %cube[%i, %j, 6 - %k]
func.func @expanded(%A: memref<105xf32>, %B: memref<15x12xf32>) {
  %cube = memref.expand_shape %A [[0, 1, 2]] output_shape [3, 5, 7] : memref<105xf32> into memref<3x5x7xf32>
  affine.for %k = 0 to 7 {
    affine.for %i = 0 to 3 {
      affine.for %j = 0 to 5 {
        %x = affine.load %cube[%i, %j, %k] : memref<3x5x7xf32>
      }
    }
  }
  %part = memref.subview %A[5] [33] [3] : memref<105xf32> to memref<33xf32, strided<[3], offset: 5>>
  %matrix = memref.expand_shape %part [[0, 1]] output_shape [3, 11] : memref<33xf32, strided<[3], offset: 5>> into memref<3x11xf32, strided<[33, 3], offset: 5>>
  %across = memref.transpose %B (i, j) -> (j, i) : memref<15x12xf32> to memref<12x15xf32, strided<[1, 12]>>
  %split = memref.expand_shape %across [[0, 1], [2, 3, 4]] output_shape [4, 3, 5, 1, 3] : memref<12x15xf32, strided<[1, 12]>> into memref<4x3x5x1x3xf32, strided<[3, 1, 36, 36, 12]>>
  affine.for %i = 0 to 11 {
    affine.for %j = 0 to 3 {
      %x = affine.load %matrix[%j, %i] : memref<3x11xf32, strided<[33, 3], offset: 5>>
      affine.for %k = 0 to 4 {
        %y = affine.load %split[%k, 2 - %j, 1 + %j, 0, %j] : memref<4x3x5x1x3xf32, strided<[3, 1, 36, 36, 12]>>
      }
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<105xf32>
  %B = memref.alloc() : memref<15x12xf32>
  call @trace_start() : () -> ()
  call @expanded(%A, %B) : (memref<105xf32>, memref<15x12xf32>) -> ()
  call @trace_stop() : () -> ()
  return
}
