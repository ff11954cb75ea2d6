// A function that is given an array may read it.
func.func private @printMemrefF32(memref<*xf32>)
func.func private @fill(memref<?xf32>, f32)
func.func private @solve(f32) -> f32
func.func @kernel(%A: memref<?xf32>, %x: f32) {
  %all = memref.cast %A : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%all) : (memref<*xf32>) -> ()
  call @fill(%A, %x) : (memref<?xf32>, f32) -> ()
  %y = call @solve(%x) : (f32) -> f32
  return
}
