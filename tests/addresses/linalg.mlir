// Operations on whole arrays: a product with a transposed operand, a transposition, a fill, a window that moves by two.
// function: whole
// linear:
// wrong: (2 * d0 + d1) => (d0 + 2 * d1)
func.func @whole(%A: memref<7x5xf32>, %B: memref<5x9xf32, strided<[1, 5]>>, %C: memref<7x9xf32>, %D: memref<9x7xf32>, %E: memref<15xf32>, %F: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<7x9xf32>)
  linalg.matmul ins(%A, %B : memref<7x5xf32>, memref<5x9xf32, strided<[1, 5]>>) outs(%C : memref<7x9xf32>)
  linalg.transpose ins(%C : memref<7x9xf32>) outs(%D : memref<9x7xf32>) permutation = [1, 0]
  linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (2 * d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, 0)>],
      iterator_types = ["parallel", "reduction"]
  } ins(%E, %F : memref<15xf32>, memref<3xf32>) outs(%A : memref<7x5xf32>) {
  ^bb0(%e: f32, %f: f32, %a: f32):
    %ef = arith.mulf %e, %f : f32
    %sum = arith.addf %a, %ef : f32
    linalg.yield %sum : f32
  }
  return
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = memref.alloc() : memref<7x5xf32>
  %memory = memref.alloc() : memref<45xf32>
  %B = memref.reinterpret_cast %memory to offset: [0], sizes: [5, 9], strides: [1, 5] : memref<45xf32> to memref<5x9xf32, strided<[1, 5]>>
  %C = memref.alloc() : memref<7x9xf32>
  %D = memref.alloc() : memref<9x7xf32>
  %E = memref.alloc() : memref<15xf32>
  %F = memref.alloc() : memref<3xf32>
  call @trace_start() : () -> ()
  call @whole(%A, %B, %C, %D, %E, %F) : (memref<7x5xf32>, memref<5x9xf32, strided<[1, 5]>>, memref<7x9xf32>, memref<9x7xf32>, memref<15xf32>, memref<3xf32>) -> ()
  call @trace_stop() : () -> ()
  return
}
