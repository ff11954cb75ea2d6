#loc2 = loc("tests/networks/old.onnx":1:1)
#loc3 = loc("tests/networks/old.onnx":4:1)
#loc5 = loc("tests/networks/old.onnx":6:1)
#loc6 = loc("tests/networks/old.onnx":7:1)
#loc7 = loc("tests/networks/old.onnx":2:1)
#loc9 = loc("tests/networks/old.onnx":5:1)
#loc10 = loc("tests/networks/old.onnx":8:1)
#loc11 = loc("tests/networks/old.onnx":9:1)
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#loc13 = loc("image"(#loc2))
#loc14 = loc("lrn/mean"(#loc3))
#loc16 = loc("lrn/alpha"(#loc5))
#loc17 = loc("lrn/shift"(#loc6))
#loc18 = loc("lrn/square"(#loc7))
#loc20 = loc("lrn/squeeze"(#loc9))
#loc21 = loc("lrn/power"(#loc10))
#loc22 = loc("lrn"(#loc11))
module {
  func.func @old(%arg0: tensor<2x3x8x8xf32> {symloc.dims = ["", "", "", ""]} loc("image"(#loc2))) -> tensor<2x27xf32> {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc14)
    %cst_0 = arith.constant 0xFF800000 : f32 loc(#loc15)
    %cst_1 = arith.constant dense<9.99999974E-5> : tensor<f32> loc(#loc16)
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<f32> loc(#loc17)
    %cst_3 = arith.constant 3.000000e+00 : f32 loc(#loc14)
    %cst_4 = arith.constant 7.500000e-01 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<2x3x8x8xf32> loc(#loc18)
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>) outs(%0 : tensor<2x3x8x8xf32>) {
    ^bb0(%in: f32 loc("lrn/square"(#loc7)), %in_7: f32 loc("lrn/square"(#loc7)), %out: f32 loc("lrn/square"(#loc7))):
      %17 = arith.mulf %in, %in_7 : f32 loc(#loc18)
      linalg.yield %17 : f32 loc(#loc18)
    } -> tensor<2x3x8x8xf32> loc(#loc18)
    %expanded = tensor.expand_shape %1 [[0], [1, 2], [3], [4]] output_shape [2, 1, 3, 8, 8] : tensor<2x3x8x8xf32> into tensor<2x1x3x8x8xf32> loc(#loc19)
    %padded = tensor.pad %expanded low[0, 0, 1, 0, 0] high[0, 0, 1, 0, 0] {
    ^bb0(%arg1: index loc("lrn/mean"(#loc3)), %arg2: index loc("lrn/mean"(#loc3)), %arg3: index loc("lrn/mean"(#loc3)), %arg4: index loc("lrn/mean"(#loc3)), %arg5: index loc("lrn/mean"(#loc3))):
      tensor.yield %cst : f32 loc(#loc14)
    } : tensor<2x1x3x8x8xf32> to tensor<2x1x5x8x8xf32> loc(#loc14)
    %2 = tensor.empty() : tensor<3x1x1xf32> loc(#loc14)
    %3 = tensor.empty() : tensor<2x5x8x8x1xf32> loc(#loc14)
    %transposed = linalg.transpose ins(%padded : tensor<2x1x5x8x8xf32>) outs(%3 : tensor<2x5x8x8x1xf32>) permutation = [0, 2, 3, 4, 1]  loc(#loc14)
    %4 = tensor.empty() : tensor<2x3x8x8x1xf32> loc(#loc14)
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x3x8x8x1xf32>) -> tensor<2x3x8x8x1xf32> loc(#loc14)
    %6 = linalg.pooling_ndhwc_sum {dilations = dense<1> : vector<3xi64>, strides = dense<1> : vector<3xi64>} ins(%transposed, %2 : tensor<2x5x8x8x1xf32>, tensor<3x1x1xf32>) outs(%5 : tensor<2x3x8x8x1xf32>) -> tensor<2x3x8x8x1xf32> loc(#loc14)
    %7 = tensor.empty() : tensor<2x1x3x8x8xf32> loc(#loc14)
    %transposed_5 = linalg.transpose ins(%6 : tensor<2x3x8x8x1xf32>) outs(%7 : tensor<2x1x3x8x8xf32>) permutation = [0, 4, 1, 2, 3]  loc(#loc14)
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_5 : tensor<2x1x3x8x8xf32>) outs(%7 : tensor<2x1x3x8x8xf32>) {
    ^bb0(%in: f32 loc("lrn/mean"(#loc3)), %out: f32 loc("lrn/mean"(#loc3))):
      %17 = arith.divf %in, %cst_3 : f32 loc(#loc14)
      linalg.yield %17 : f32 loc(#loc14)
    } -> tensor<2x1x3x8x8xf32> loc(#loc14)
    %collapsed = tensor.collapse_shape %8 [[0, 1], [2], [3], [4]] : tensor<2x1x3x8x8xf32> into tensor<2x3x8x8xf32> loc(#loc20)
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed, %cst_1 : tensor<2x3x8x8xf32>, tensor<f32>) outs(%0 : tensor<2x3x8x8xf32>) {
    ^bb0(%in: f32 loc("lrn/squeeze"(#loc9)), %in_7: f32 loc("lrn/alpha"(#loc5)), %out: f32 loc("lrn/alpha"(#loc5))):
      %17 = arith.mulf %in, %in_7 : f32 loc(#loc16)
      linalg.yield %17 : f32 loc(#loc16)
    } -> tensor<2x3x8x8xf32> loc(#loc16)
    %10 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %cst_2 : tensor<2x3x8x8xf32>, tensor<f32>) outs(%0 : tensor<2x3x8x8xf32>) {
    ^bb0(%in: f32 loc("lrn/alpha"(#loc5)), %in_7: f32 loc("lrn/shift"(#loc6)), %out: f32 loc("lrn/shift"(#loc6))):
      %17 = arith.addf %in, %in_7 : f32 loc(#loc17)
      linalg.yield %17 : f32 loc(#loc17)
    } -> tensor<2x3x8x8xf32> loc(#loc17)
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<2x3x8x8xf32>) outs(%0 : tensor<2x3x8x8xf32>) {
    ^bb0(%in: f32 loc("lrn/shift"(#loc6)), %out: f32 loc("lrn/power"(#loc10))):
      %17 = math.powf %in, %cst_4 : f32 loc(#loc21)
      linalg.yield %17 : f32 loc(#loc21)
    } -> tensor<2x3x8x8xf32> loc(#loc21)
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %11 : tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>) outs(%0 : tensor<2x3x8x8xf32>) {
    ^bb0(%in: f32 loc("lrn/square"(#loc7)), %in_7: f32 loc("lrn/power"(#loc10)), %out: f32 loc("lrn"(#loc11))):
      %17 = arith.divf %in, %in_7 : f32 loc(#loc22)
      linalg.yield %17 : f32 loc(#loc22)
    } -> tensor<2x3x8x8xf32> loc(#loc22)
    %13 = tensor.empty() : tensor<2x3x3x3xf32> loc(#loc15)
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32> loc(#loc15)
    %15 = tensor.empty() : tensor<3x3xf32> loc(#loc15)
    %16 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%12, %15 : tensor<2x3x8x8xf32>, tensor<3x3xf32>) outs(%14 : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32> loc(#loc15)
    %collapsed_6 = tensor.collapse_shape %16 [[0], [1, 2, 3]] : tensor<2x3x3x3xf32> into tensor<2x27xf32> loc(#loc23)
    return %collapsed_6 : tensor<2x27xf32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("graph:old")
#loc4 = loc("tests/networks/old.onnx":10:1)
#loc8 = loc("tests/networks/old.onnx":3:1)
#loc12 = loc("tests/networks/old.onnx":11:1)
#loc15 = loc("pool"(#loc4))
#loc19 = loc("lrn/unsqueeze"(#loc8))
#loc23 = loc("flat"(#loc12))

