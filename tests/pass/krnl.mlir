// What is left of onnx-mlir's own operations where it prints loops: constants, copies, the entry point.
module attributes {"onnx-mlir.symbol-postfix" = "net"} {
  func.func @main_graph(%arg0: memref<?x3xf32> {onnx.dim_params = "0:batch", onnx.name = "x"}, %arg1: memref<?x3xf32> {onnx.dim_params = "0:batch"}) -> memref<1x?x3xf32> {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %scale = "krnl.global"() {name = "scale", shape = [3], value = dense<2.0> : tensor<3xf32>} : () -> memref<3xf32>
    %dim = memref.dim %arg0, %c0 : memref<?x3xf32>
    %sums = memref.alloc(%dim) {alignment = 16 : i64} : memref<?x3xf32>
    affine.for %i = 0 to %dim {
      affine.for %j = 0 to 3 {
        %0 = affine.load %arg0[%i, %j] : memref<?x3xf32>
        %1 = affine.load %arg1[%i, %j] : memref<?x3xf32>
        %2 = affine.load %scale[%j] : memref<3xf32>
        %3 = arith.mulf %1, %2 : f32
        %4 = arith.addf %0, %3 : f32
        affine.store %4, %sums[%i, %j] : memref<?x3xf32>
      }
    }
    %out = memref.alloc(%dim) {alignment = 16 : i64} : memref<1x?x3xf32>
    %count = arith.muli %dim, %c3 : index
    %elements = arith.index_cast %count : index to i64
    "krnl.memcpy"(%out, %sums, %elements, %c0, %c0) : (memref<1x?x3xf32>, memref<?x3xf32>, i64, index, index) -> ()
    %copied = memref.alloc() : memref<3x1xf32>
    // Older text has no offsets, and counts bytes.
    %bytes = arith.constant 12 : i64
    "krnl.memcpy"(%copied, %scale, %bytes) : (memref<3x1xf32>, memref<3xf32>, i64) -> ()
    memref.dealloc %sums : memref<?x3xf32>
    return %out : memref<1x?x3xf32>
  }
  "krnl.entry_point"() {func = @main_graph, numInputs = 2 : i32, numOutputs = 1 : i32} : () -> ()
}
