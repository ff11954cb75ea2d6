// The prefix `std.` may be written, and the generic form always has it.
func @prefixed(%A: memref<8xf32>) {
  "affine.for"() ( {
  ^bb0(%i: index):
    %x = "std.load"(%A, %i) : (memref<8xf32>, index) -> f32
    %y = "std.addf"(%x, %x) : (f32, f32) -> f32
    "std.store"(%y, %A, %i) : (f32, memref<8xf32>, index) -> ()
    "affine.yield"() : () -> ()
  }) {lowerBoundMap = affine_map<() -> (0)>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>, operandSegmentSizes = array<i32: 0, 0, 0>} : () -> ()
  %c0 = std.constant 0 : index
  %z = std.load %A[%c0] : memref<8xf32>
  std.store %z, %A[%c0] : memref<8xf32>
  std.return
}
