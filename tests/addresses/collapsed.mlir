// Dimensions that are collapsed: all, the outer ones, the inner ones of a part, extents of 1.
// function: collapsed
// linear:
// wrong: %outer[%j, %i] => %outer[%j, 6 - %i]
func.func @collapsed(%A: memref<3x5x7xf64>, %B: memref<6x5x9xf64>, %C: memref<1x13x1xf64>) {
  %all = memref.collapse_shape %A [[0, 1, 2]] : memref<3x5x7xf64> into memref<105xf64>
  affine.for %i = 0 to 105 {
    %x = affine.load %all[%i] : memref<105xf64>
  }
  affine.for %i = 0 to 26 {
    %x = affine.load %all[%i * 4 + 1] : memref<105xf64>
  }
  %outer = memref.collapse_shape %A [[0, 1], [2]] : memref<3x5x7xf64> into memref<15x7xf64>
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 15 {
      %x = affine.load %outer[%j, %i] : memref<15x7xf64>
    }
  }
  %part = memref.subview %B[1, 0, 0] [2, 3, 9] [2, 1, 1] : memref<6x5x9xf64> to memref<2x3x9xf64, strided<[90, 9, 1], offset: 45>>
  %inner = memref.collapse_shape %part [[0], [1, 2]] : memref<2x3x9xf64, strided<[90, 9, 1], offset: 45>> into memref<2x27xf64, strided<[90, 1], offset: 45>>
  affine.for %i = 0 to 27 {
    affine.for %j = 0 to 2 {
      %x = affine.load %inner[%j, %i] : memref<2x27xf64, strided<[90, 1], offset: 45>>
      affine.store %x, %inner[-%j + 1, -%i + 26] : memref<2x27xf64, strided<[90, 1], offset: 45>>
    }
  }
  %units = memref.collapse_shape %C [[0, 1, 2]] : memref<1x13x1xf64> into memref<13xf64>
  affine.for %i = 0 to 13 {
    %x = affine.load %units[%i] : memref<13xf64>
    %y = affine.load %C[0, -%i + 12, 0] : memref<1x13x1xf64>
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<3x5x7xf64>
  %B = memref.alloc() : memref<6x5x9xf64>
  %C = memref.alloc() : memref<1x13x1xf64>
  call @trace_start() : () -> ()
  call @collapsed(%A, %B, %C) : (memref<3x5x7xf64>, memref<6x5x9xf64>, memref<1x13x1xf64>) -> ()
  call @trace_stop() : () -> ()
  return
}
