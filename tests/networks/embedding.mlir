#loc2 = loc("embedding.onnx":1:1)
#loc3 = loc("embedding.onnx":2:1)
#loc4 = loc("embedding.onnx":3:1)
#loc5 = loc("embedding.onnx":4:1)
#loc6 = loc("embedding.onnx":6:1)
#loc7 = loc("embedding.onnx":5:1)
#loc8 = loc("embedding.onnx":7:1)
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#loc9 = loc("table"(#loc2))
#loc10 = loc("tokens"(#loc3))
#loc11 = loc("fc.weight"(#loc4))
#loc12 = loc("fc.bias"(#loc5))
#loc13 = loc("fc"(#loc6))
#loc14 = loc("embed"(#loc7))
#loc15 = loc("fc.add"(#loc8))
module {
  func.func @embedding(%arg0: tensor<50x8xf32> {symloc.dims = ["", ""]} loc("table"(#loc2)), %arg1: tensor<?x?xi64> {symloc.dims = ["batch", "sequence"]} loc("tokens"(#loc3)), %arg2: tensor<8x4xf32> {symloc.dims = ["", ""]} loc("fc.weight"(#loc4)), %arg3: tensor<4xf32> {symloc.dims = [""]} loc("fc.bias"(#loc5))) -> tensor<?x?x4xf32> {
    %c1 = arith.constant 1 : index loc(#loc)
    %c0 = arith.constant 0 : index loc(#loc)
    %c50 = arith.constant 50 : index loc(#loc)
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc13)
    %dim = tensor.dim %arg1, %c0 : tensor<?x?xi64> loc(#loc14)
    %dim_0 = tensor.dim %arg1, %c1 : tensor<?x?xi64> loc(#loc14)
    %0 = tensor.empty(%dim, %dim_0) : tensor<?x?x8xf32> loc(#loc14)
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<?x?xi64>) outs(%0 : tensor<?x?x8xf32>) {
    ^bb0(%in: i64 loc("embed"(#loc7)), %out: f32 loc("embed"(#loc7))):
      %8 = arith.index_cast %in : i64 to index loc(#loc14)
      %9 = linalg.index 2 : index loc(#loc14)
      %10 = arith.cmpi slt, %8, %c50 : index loc(#loc14)
      cf.assert %10, "index must be smaller than dim size" loc(#loc14)
      %11 = arith.cmpi sge, %in, %c0_i64 : i64 loc(#loc14)
      cf.assert %11, "index must be larger or equal to 0" loc(#loc14)
      %extracted = tensor.extract %arg0[%8, %9] : tensor<50x8xf32> loc(#loc14)
      linalg.yield %extracted : f32 loc(#loc14)
    } -> tensor<?x?x8xf32> loc(#loc14)
    %2 = tensor.empty(%dim) : tensor<?x8x4xf32> loc(#loc13)
    %3 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<8x4xf32>) outs(%2 : tensor<?x8x4xf32>) {
    ^bb0(%in: f32 loc("fc"(#loc6)), %out: f32 loc("fc"(#loc6))):
      linalg.yield %in : f32 loc(#loc13)
    } -> tensor<?x8x4xf32> loc(#loc13)
    %4 = tensor.empty(%dim, %dim_0) : tensor<?x?x4xf32> loc(#loc13)
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc13)
    %6 = linalg.batch_matmul ins(%1, %3 : tensor<?x?x8xf32>, tensor<?x8x4xf32>) outs(%5 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc13)
    %7 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %arg3 : tensor<?x?x4xf32>, tensor<4xf32>) outs(%4 : tensor<?x?x4xf32>) {
    ^bb0(%in: f32 loc("fc"(#loc6)), %in_1: f32 loc("fc.add"(#loc8)), %out: f32 loc("fc.add"(#loc8))):
      %8 = arith.addf %in, %in_1 : f32 loc(#loc15)
      linalg.yield %8 : f32 loc(#loc15)
    } -> tensor<?x?x4xf32> loc(#loc15)
    return %7 : tensor<?x?x4xf32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("graph:embedding")

