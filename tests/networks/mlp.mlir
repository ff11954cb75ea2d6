#loc2 = loc("mlp.onnx":1:1)
#loc3 = loc("mlp.onnx":2:1)
#loc4 = loc("mlp.onnx":3:1)
#loc5 = loc("mlp.onnx":4:1)
#loc6 = loc("mlp.onnx":5:1)
#loc7 = loc("mlp.onnx":9:1)
#loc8 = loc("mlp.onnx":6:1)
#loc9 = loc("mlp.onnx":7:1)
#loc10 = loc("mlp.onnx":8:1)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#loc11 = loc("x"(#loc2))
#loc12 = loc("fc1.weight"(#loc3))
#loc13 = loc("fc1.bias"(#loc4))
#loc14 = loc("fc2.weight"(#loc5))
#loc15 = loc("fc2.bias"(#loc6))
#loc16 = loc("softmax"(#loc7))
#loc17 = loc("fc1"(#loc8))
#loc18 = loc("relu"(#loc9))
#loc19 = loc("fc2"(#loc10))
module {
  func.func @mlp(%arg0: tensor<?x6xf32> {symloc.dims = ["batch", ""]} loc("x"(#loc2)), %arg1: tensor<8x6xf32> {symloc.dims = ["", ""]} loc("fc1.weight"(#loc3)), %arg2: tensor<8xf32> {symloc.dims = [""]} loc("fc1.bias"(#loc4)), %arg3: tensor<5x8xf32> {symloc.dims = ["", ""]} loc("fc2.weight"(#loc5)), %arg4: tensor<5xf32> {symloc.dims = [""]} loc("fc2.bias"(#loc6))) -> tensor<?x5xf32> {
    %c0 = arith.constant 0 : index loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %c0_i64 = arith.constant 0 : i64 loc(#loc16)
    %cst_0 = arith.constant 0xFF800000 : f32 loc(#loc16)
    %0 = tensor.empty() : tensor<6x8xf32> loc(#loc17)
    %transposed = linalg.transpose ins(%arg1 : tensor<8x6xf32>) outs(%0 : tensor<6x8xf32>) permutation = [1, 0]  loc(#loc17)
    %dim = tensor.dim %arg0, %c0 : tensor<?x6xf32> loc(#loc17)
    %1 = tensor.empty(%dim) : tensor<?x8xf32> loc(#loc17)
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x8xf32>) -> tensor<?x8xf32> loc(#loc17)
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<?x6xf32>, tensor<6x8xf32>) outs(%2 : tensor<?x8xf32>) -> tensor<?x8xf32> loc(#loc17)
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg2 : tensor<?x8xf32>, tensor<8xf32>) outs(%1 : tensor<?x8xf32>) {
    ^bb0(%in: f32 loc("fc1"(#loc8)), %in_2: f32 loc("fc1"(#loc8)), %out: f32 loc("fc1"(#loc8))):
      %22 = arith.addf %in, %in_2 : f32 loc(#loc17)
      linalg.yield %22 : f32 loc(#loc17)
    } -> tensor<?x8xf32> loc(#loc17)
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<?x8xf32>) outs(%1 : tensor<?x8xf32>) {
    ^bb0(%in: f32 loc("fc1"(#loc8)), %out: f32 loc("relu"(#loc9))):
      %22 = arith.cmpf ugt, %in, %cst : f32 loc(#loc18)
      %23 = arith.select %22, %in, %cst : f32 loc(#loc18)
      linalg.yield %23 : f32 loc(#loc18)
    } -> tensor<?x8xf32> loc(#loc18)
    %6 = tensor.empty() : tensor<8x5xf32> loc(#loc19)
    %transposed_1 = linalg.transpose ins(%arg3 : tensor<5x8xf32>) outs(%6 : tensor<8x5xf32>) permutation = [1, 0]  loc(#loc19)
    %7 = tensor.empty(%dim) : tensor<?x5xf32> loc(#loc19)
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc19)
    %9 = linalg.matmul ins(%5, %transposed_1 : tensor<?x8xf32>, tensor<8x5xf32>) outs(%8 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc19)
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %arg4 : tensor<?x5xf32>, tensor<5xf32>) outs(%7 : tensor<?x5xf32>) {
    ^bb0(%in: f32 loc("fc2"(#loc10)), %in_2: f32 loc("fc2"(#loc10)), %out: f32 loc("fc2"(#loc10))):
      %22 = arith.addf %in, %in_2 : f32 loc(#loc19)
      linalg.yield %22 : f32 loc(#loc19)
    } -> tensor<?x5xf32> loc(#loc19)
    %11 = tensor.empty(%dim) : tensor<?xi64> loc(#loc16)
    %12 = linalg.fill ins(%c0_i64 : i64) outs(%11 : tensor<?xi64>) -> tensor<?xi64> loc(#loc16)
    %13 = tensor.empty(%dim) : tensor<?xf32> loc(#loc16)
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<?xf32>) -> tensor<?xf32> loc(#loc16)
    %15:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<?x5xf32>) outs(%14, %12 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32 loc("fc2"(#loc10)), %out: f32 loc("softmax"(#loc7)), %out_2: i64 loc("softmax"(#loc7))):
      %22 = linalg.index 1 : index loc(#loc16)
      %23 = arith.index_cast %22 : index to i64 loc(#loc16)
      %24 = arith.maximumf %in, %out : f32 loc(#loc16)
      %25 = arith.cmpf ogt, %in, %out : f32 loc(#loc16)
      %26 = arith.select %25, %23, %out_2 : i64 loc(#loc16)
      linalg.yield %24, %26 : f32, i64 loc(#loc16)
    } -> (tensor<?xf32>, tensor<?xi64>) loc(#loc16)
    %expanded = tensor.expand_shape %15#0 [[0, 1]] output_shape [%dim, 1] : tensor<?xf32> into tensor<?x1xf32> loc(#loc16)
    %16 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %expanded : tensor<?x5xf32>, tensor<?x1xf32>) outs(%7 : tensor<?x5xf32>) {
    ^bb0(%in: f32 loc("fc2"(#loc10)), %in_2: f32 loc("softmax"(#loc7)), %out: f32 loc("softmax"(#loc7))):
      %22 = arith.subf %in, %in_2 : f32 loc(#loc16)
      linalg.yield %22 : f32 loc(#loc16)
    } -> tensor<?x5xf32> loc(#loc16)
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x5xf32>) outs(%7 : tensor<?x5xf32>) {
    ^bb0(%in: f32 loc("softmax"(#loc7)), %out: f32 loc("softmax"(#loc7))):
      %22 = math.exp %in : f32 loc(#loc16)
      linalg.yield %22 : f32 loc(#loc16)
    } -> tensor<?x5xf32> loc(#loc16)
    %18 = tensor.empty(%dim) : tensor<?x1xf32> loc(#loc16)
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<?x1xf32>) -> tensor<?x1xf32> loc(#loc16)
    %20 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "reduction"]} ins(%17 : tensor<?x5xf32>) outs(%19 : tensor<?x1xf32>) {
    ^bb0(%in: f32 loc("softmax"(#loc7)), %out: f32 loc("softmax"(#loc7))):
      %22 = arith.addf %in, %out : f32 loc(#loc16)
      linalg.yield %22 : f32 loc(#loc16)
    } -> tensor<?x1xf32> loc(#loc16)
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %20 : tensor<?x5xf32>, tensor<?x1xf32>) outs(%7 : tensor<?x5xf32>) {
    ^bb0(%in: f32 loc("softmax"(#loc7)), %in_2: f32 loc("softmax"(#loc7)), %out: f32 loc("softmax"(#loc7))):
      %22 = arith.divf %in, %in_2 : f32 loc(#loc16)
      linalg.yield %22 : f32 loc(#loc16)
    } -> tensor<?x5xf32> loc(#loc16)
    return %21 : tensor<?x5xf32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("graph:mlp")

