#loc2 = loc("resnet_block.onnx":1:1)
#loc3 = loc("resnet_block.onnx":2:1)
#loc4 = loc("resnet_block.onnx":3:1)
#loc5 = loc("resnet_block.onnx":4:1)
#loc6 = loc("resnet_block.onnx":5:1)
#loc7 = loc("resnet_block.onnx":6:1)
#loc8 = loc("resnet_block.onnx":7:1)
#loc9 = loc("resnet_block.onnx":8:1)
#loc10 = loc("resnet_block.onnx":9:1)
#loc11 = loc("resnet_block.onnx":10:1)
#loc12 = loc("resnet_block.onnx":11:1)
#loc13 = loc("resnet_block.onnx":12:1)
#loc14 = loc("resnet_block.onnx":13:1)
#loc15 = loc("resnet_block.onnx":14:1)
#loc16 = loc("resnet_block.onnx":15:1)
#loc17 = loc("resnet_block.onnx":16:1)
#loc18 = loc("resnet_block.onnx":17:1)
#loc19 = loc("resnet_block.onnx":18:1)
#loc20 = loc("resnet_block.onnx":19:1)
#loc21 = loc("resnet_block.onnx":20:1)
#loc22 = loc("resnet_block.onnx":21:1)
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#loc23 = loc("image"(#loc2))
#loc24 = loc("conv1.weight"(#loc3))
#loc25 = loc("conv1.bias"(#loc4))
#loc26 = loc("bn1.scale"(#loc5))
#loc27 = loc("bn1.shift"(#loc6))
#loc28 = loc("bn1.mean"(#loc7))
#loc29 = loc("bn1.variance"(#loc8))
#loc30 = loc("conv2.weight"(#loc9))
#loc31 = loc("conv2.bias"(#loc10))
#loc32 = loc("bn2.scale"(#loc11))
#loc33 = loc("bn2.shift"(#loc12))
#loc34 = loc("bn2.mean"(#loc13))
#loc35 = loc("bn2.variance"(#loc14))
#loc36 = loc("conv1"(#loc15))
#loc37 = loc("bn1"(#loc16))
#loc38 = loc("relu1"(#loc17))
#loc39 = loc("conv2"(#loc18))
#loc40 = loc("bn2"(#loc19))
#loc41 = loc("shortcut"(#loc20))
#loc42 = loc("relu2"(#loc21))
#loc43 = loc("pool"(#loc22))
module {
  func.func @resnet_block(%arg0: tensor<?x3x?x?xf32> {symloc.dims = ["batch", "", "height", "width"]} loc("image"(#loc2)), %arg1: tensor<4x3x3x3xf32> {symloc.dims = ["", "", "", ""]} loc("conv1.weight"(#loc3)), %arg2: tensor<4xf32> {symloc.dims = [""]} loc("conv1.bias"(#loc4)), %arg3: tensor<4xf32> {symloc.dims = [""]} loc("bn1.scale"(#loc5)), %arg4: tensor<4xf32> {symloc.dims = [""]} loc("bn1.shift"(#loc6)), %arg5: tensor<4xf32> {symloc.dims = [""]} loc("bn1.mean"(#loc7)), %arg6: tensor<4xf32> {symloc.dims = [""]} loc("bn1.variance"(#loc8)), %arg7: tensor<3x4x3x3xf32> {symloc.dims = ["", "", "", ""]} loc("conv2.weight"(#loc9)), %arg8: tensor<3xf32> {symloc.dims = [""]} loc("conv2.bias"(#loc10)), %arg9: tensor<3xf32> {symloc.dims = [""]} loc("bn2.scale"(#loc11)), %arg10: tensor<3xf32> {symloc.dims = [""]} loc("bn2.shift"(#loc12)), %arg11: tensor<3xf32> {symloc.dims = [""]} loc("bn2.mean"(#loc13)), %arg12: tensor<3xf32> {symloc.dims = [""]} loc("bn2.variance"(#loc14))) -> tensor<?x3x1x1xf32> {
    %c0 = arith.constant 0 : index loc(#loc)
    %c3 = arith.constant 3 : index loc(#loc)
    %c2 = arith.constant 2 : index loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant 9.99999974E-6 : f32 loc(#loc)
    %dim = tensor.dim %arg0, %c0 : tensor<?x3x?x?xf32> loc(#loc36)
    %dim_1 = tensor.dim %arg0, %c2 : tensor<?x3x?x?xf32> loc(#loc36)
    %dim_2 = tensor.dim %arg0, %c3 : tensor<?x3x?x?xf32> loc(#loc36)
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg13: index loc("conv1"(#loc15)), %arg14: index loc("conv1"(#loc15)), %arg15: index loc("conv1"(#loc15)), %arg16: index loc("conv1"(#loc15))):
      tensor.yield %cst : f32 loc(#loc36)
    } : tensor<?x3x?x?xf32> to tensor<?x3x?x?xf32> loc(#loc36)
    %0 = tensor.empty(%dim, %dim_1, %dim_2) : tensor<?x4x?x?xf32> loc(#loc36)
    %broadcasted = linalg.broadcast ins(%arg2 : tensor<4xf32>) outs(%0 : tensor<?x4x?x?xf32>) dimensions = [0, 2, 3]  loc(#loc36)
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg1 : tensor<?x3x?x?xf32>, tensor<4x3x3x3xf32>) outs(%broadcasted : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32> loc(#loc36)
    %expanded = tensor.expand_shape %arg5 [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32> loc(#loc37)
    %expanded_3 = tensor.expand_shape %arg6 [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32> loc(#loc37)
    %2 = tensor.empty() : tensor<1x4x1x1xf32> loc(#loc37)
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<1x4x1x1xf32>) outs(%2 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32 loc("bn1"(#loc16)), %out: f32 loc("bn1"(#loc16))):
      %30 = arith.addf %in, %cst_0 : f32 loc(#loc37)
      linalg.yield %30 : f32 loc(#loc37)
    } -> tensor<1x4x1x1xf32> loc(#loc37)
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x4x1x1xf32>) outs(%2 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32 loc("bn1"(#loc16)), %out: f32 loc("bn1"(#loc16))):
      %30 = math.rsqrt %in : f32 loc(#loc37)
      linalg.yield %30 : f32 loc(#loc37)
    } -> tensor<1x4x1x1xf32> loc(#loc37)
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %expanded : tensor<?x4x?x?xf32>, tensor<1x4x1x1xf32>) outs(%0 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32 loc("conv1"(#loc15)), %in_12: f32 loc("bn1"(#loc16)), %out: f32 loc("bn1"(#loc16))):
      %30 = arith.subf %in, %in_12 : f32 loc(#loc37)
      linalg.yield %30 : f32 loc(#loc37)
    } -> tensor<?x4x?x?xf32> loc(#loc37)
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %4 : tensor<?x4x?x?xf32>, tensor<1x4x1x1xf32>) outs(%0 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32 loc("bn1"(#loc16)), %in_12: f32 loc("bn1"(#loc16)), %out: f32 loc("bn1"(#loc16))):
      %30 = arith.mulf %in, %in_12 : f32 loc(#loc37)
      linalg.yield %30 : f32 loc(#loc37)
    } -> tensor<?x4x?x?xf32> loc(#loc37)
    %expanded_4 = tensor.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32> loc(#loc37)
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_4 : tensor<?x4x?x?xf32>, tensor<1x4x1x1xf32>) outs(%0 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32 loc("bn1"(#loc16)), %in_12: f32 loc("bn1"(#loc16)), %out: f32 loc("bn1"(#loc16))):
      %30 = arith.mulf %in, %in_12 : f32 loc(#loc37)
      linalg.yield %30 : f32 loc(#loc37)
    } -> tensor<?x4x?x?xf32> loc(#loc37)
    %expanded_5 = tensor.expand_shape %arg4 [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32> loc(#loc37)
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_5 : tensor<?x4x?x?xf32>, tensor<1x4x1x1xf32>) outs(%0 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32 loc("bn1"(#loc16)), %in_12: f32 loc("bn1"(#loc16)), %out: f32 loc("bn1"(#loc16))):
      %30 = arith.addf %in, %in_12 : f32 loc(#loc37)
      linalg.yield %30 : f32 loc(#loc37)
    } -> tensor<?x4x?x?xf32> loc(#loc37)
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<?x4x?x?xf32>) outs(%0 : tensor<?x4x?x?xf32>) {
    ^bb0(%in: f32 loc("bn1"(#loc16)), %out: f32 loc("relu1"(#loc17))):
      %30 = arith.cmpf ugt, %in, %cst : f32 loc(#loc38)
      %31 = arith.select %30, %in, %cst : f32 loc(#loc38)
      linalg.yield %31 : f32 loc(#loc38)
    } -> tensor<?x4x?x?xf32> loc(#loc38)
    %padded_6 = tensor.pad %9 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg13: index loc("conv2"(#loc18)), %arg14: index loc("conv2"(#loc18)), %arg15: index loc("conv2"(#loc18)), %arg16: index loc("conv2"(#loc18))):
      tensor.yield %cst : f32 loc(#loc39)
    } : tensor<?x4x?x?xf32> to tensor<?x4x?x?xf32> loc(#loc39)
    %10 = tensor.empty(%dim, %dim_1, %dim_2) : tensor<?x3x?x?xf32> loc(#loc39)
    %broadcasted_7 = linalg.broadcast ins(%arg8 : tensor<3xf32>) outs(%10 : tensor<?x3x?x?xf32>) dimensions = [0, 2, 3]  loc(#loc39)
    %11 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_6, %arg7 : tensor<?x4x?x?xf32>, tensor<3x4x3x3xf32>) outs(%broadcasted_7 : tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32> loc(#loc39)
    %expanded_8 = tensor.expand_shape %arg11 [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf32> into tensor<1x3x1x1xf32> loc(#loc40)
    %expanded_9 = tensor.expand_shape %arg12 [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf32> into tensor<1x3x1x1xf32> loc(#loc40)
    %12 = tensor.empty() : tensor<1x3x1x1xf32> loc(#loc40)
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x3x1x1xf32>) outs(%12 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32 loc("bn2"(#loc19)), %out: f32 loc("bn2"(#loc19))):
      %30 = arith.addf %in, %cst_0 : f32 loc(#loc40)
      linalg.yield %30 : f32 loc(#loc40)
    } -> tensor<1x3x1x1xf32> loc(#loc40)
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x3x1x1xf32>) outs(%12 : tensor<1x3x1x1xf32>) {
    ^bb0(%in: f32 loc("bn2"(#loc19)), %out: f32 loc("bn2"(#loc19))):
      %30 = math.rsqrt %in : f32 loc(#loc40)
      linalg.yield %30 : f32 loc(#loc40)
    } -> tensor<1x3x1x1xf32> loc(#loc40)
    %15 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %expanded_8 : tensor<?x3x?x?xf32>, tensor<1x3x1x1xf32>) outs(%10 : tensor<?x3x?x?xf32>) {
    ^bb0(%in: f32 loc("conv2"(#loc18)), %in_12: f32 loc("bn2"(#loc19)), %out: f32 loc("bn2"(#loc19))):
      %30 = arith.subf %in, %in_12 : f32 loc(#loc40)
      linalg.yield %30 : f32 loc(#loc40)
    } -> tensor<?x3x?x?xf32> loc(#loc40)
    %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %14 : tensor<?x3x?x?xf32>, tensor<1x3x1x1xf32>) outs(%10 : tensor<?x3x?x?xf32>) {
    ^bb0(%in: f32 loc("bn2"(#loc19)), %in_12: f32 loc("bn2"(#loc19)), %out: f32 loc("bn2"(#loc19))):
      %30 = arith.mulf %in, %in_12 : f32 loc(#loc40)
      linalg.yield %30 : f32 loc(#loc40)
    } -> tensor<?x3x?x?xf32> loc(#loc40)
    %expanded_10 = tensor.expand_shape %arg9 [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf32> into tensor<1x3x1x1xf32> loc(#loc40)
    %17 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_10 : tensor<?x3x?x?xf32>, tensor<1x3x1x1xf32>) outs(%10 : tensor<?x3x?x?xf32>) {
    ^bb0(%in: f32 loc("bn2"(#loc19)), %in_12: f32 loc("bn2"(#loc19)), %out: f32 loc("bn2"(#loc19))):
      %30 = arith.mulf %in, %in_12 : f32 loc(#loc40)
      linalg.yield %30 : f32 loc(#loc40)
    } -> tensor<?x3x?x?xf32> loc(#loc40)
    %expanded_11 = tensor.expand_shape %arg10 [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf32> into tensor<1x3x1x1xf32> loc(#loc40)
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_11 : tensor<?x3x?x?xf32>, tensor<1x3x1x1xf32>) outs(%10 : tensor<?x3x?x?xf32>) {
    ^bb0(%in: f32 loc("bn2"(#loc19)), %in_12: f32 loc("bn2"(#loc19)), %out: f32 loc("bn2"(#loc19))):
      %30 = arith.addf %in, %in_12 : f32 loc(#loc40)
      linalg.yield %30 : f32 loc(#loc40)
    } -> tensor<?x3x?x?xf32> loc(#loc40)
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %18 : tensor<?x3x?x?xf32>, tensor<?x3x?x?xf32>) outs(%10 : tensor<?x3x?x?xf32>) {
    ^bb0(%in: f32 loc("conv1"(#loc15)), %in_12: f32 loc("bn2"(#loc19)), %out: f32 loc("shortcut"(#loc20))):
      %30 = arith.addf %in, %in_12 : f32 loc(#loc41)
      linalg.yield %30 : f32 loc(#loc41)
    } -> tensor<?x3x?x?xf32> loc(#loc41)
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<?x3x?x?xf32>) outs(%10 : tensor<?x3x?x?xf32>) {
    ^bb0(%in: f32 loc("shortcut"(#loc20)), %out: f32 loc("relu2"(#loc21))):
      %30 = arith.cmpf ugt, %in, %cst : f32 loc(#loc42)
      %31 = arith.select %30, %in, %cst : f32 loc(#loc42)
      linalg.yield %31 : f32 loc(#loc42)
    } -> tensor<?x3x?x?xf32> loc(#loc42)
    %21 = arith.index_cast %dim_1 : index to i64 loc(#loc43)
    %22 = arith.index_cast %dim_2 : index to i64 loc(#loc43)
    %23 = tensor.empty(%dim) : tensor<?x3x1x1xf32> loc(#loc43)
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<?x3x1x1xf32>) -> tensor<?x3x1x1xf32> loc(#loc43)
    %25 = tensor.empty(%dim_1, %dim_2) : tensor<?x?xf32> loc(#loc43)
    %26 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%20, %25 : tensor<?x3x?x?xf32>, tensor<?x?xf32>) outs(%24 : tensor<?x3x1x1xf32>) -> tensor<?x3x1x1xf32> loc(#loc43)
    %27 = arith.muli %21, %22 : i64 loc(#loc43)
    %28 = arith.sitofp %27 : i64 to f32 loc(#loc43)
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<?x3x1x1xf32>) outs(%23 : tensor<?x3x1x1xf32>) {
    ^bb0(%in: f32 loc("pool"(#loc22)), %out: f32 loc("pool"(#loc22))):
      %30 = arith.divf %in, %28 : f32 loc(#loc43)
      linalg.yield %30 : f32 loc(#loc43)
    } -> tensor<?x3x1x1xf32> loc(#loc43)
    return %29 : tensor<?x3x1x1xf32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("graph:resnet_block")

