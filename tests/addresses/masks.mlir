// Vectors under masks: what is beyond them is not touched, in rows and in tiles, whichever way the mask is given.
// function: masked
// linear:
// lines: 64
// passes: func.func(lower-vector-mask)
// wrong: vector.create_mask %left => vector.create_mask %eight
func.func @masked(%A: memref<61xf32>, %B: memref<61xf32>, %C: memref<10x13xf32>) {
  %zero = arith.constant 0.0 : f32
  %eight = arith.constant 8 : index
  affine.for %i = 0 to 61 step 8 {
    %left = affine.min affine_map<(d0) -> (61 - d0, 8)>(%i)
    %mask = vector.create_mask %left : vector<8xi1>
    %x = vector.mask %mask { vector.transfer_read %A[%i], %zero {in_bounds = [true]} : memref<61xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
    %y = arith.addf %x, %x : vector<8xf32>
    vector.mask %mask { vector.transfer_write %y, %B[%i] {in_bounds = [true]} : vector<8xf32>, memref<61xf32> } : vector<8xi1>
  }
  affine.for %i = 0 to 10 step 4 {
    affine.for %j = 0 to 13 step 4 {
      %rows = affine.min affine_map<(d0) -> (10 - d0, 4)>(%i)
      %columns = affine.min affine_map<(d0) -> (13 - d0, 4)>(%j)
      %tile = vector.create_mask %rows, %columns : vector<4x4xi1>
      %x = vector.transfer_read %C[%i, %j], %zero, %tile {in_bounds = [true, true]} : memref<10x13xf32>, vector<4x4xf32>
      %y = arith.addf %x, %x : vector<4x4xf32>
      vector.transfer_write %y, %C[%i, %j], %tile {in_bounds = [true, true]} : vector<4x4xf32>, memref<10x13xf32>
    }
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<61xf32>
  %B = memref.alloc() : memref<61xf32>
  %C = memref.alloc() : memref<10x13xf32>
  call @trace_start() : () -> ()
  call @masked(%A, %B, %C) : (memref<61xf32>, memref<61xf32>, memref<10x13xf32>) -> ()
  call @trace_stop() : () -> ()
  return
}
