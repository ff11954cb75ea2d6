// Arrays of other tools: constants of onnx-mlir, parts of arrays as Polygeist writes them.
module {
  func @main_graph(%arg0: memref<4x8xf32>, %n: index) {
    %0 = "krnl.global"() {name = "constant_0", shape = [8], value = dense<1.0> : tensor<8xf32>} : () -> memref<8xf32>
    affine.for %i = 0 to 4 {
      %1 = "polygeist.subindex"(%arg0, %i) : (memref<4x8xf32>, index) -> memref<8xf32>
      affine.for %j = 0 to 8 {
        %2 = affine.load %0[%j] : memref<8xf32>
        affine.store %2, %1[%j] : memref<8xf32>
      }
      %3 = "polygeist.subindex"(%arg0, %n) : (memref<4x8xf32>, index) -> memref<?x8xf32>
      %4 = affine.load %3[%i + 1, 2] : memref<?x8xf32>
    }
    return
  }
}
