#loc2 = loc("lenet.onnx":1:1)
#loc3 = loc("lenet.onnx":2:1)
#loc4 = loc("lenet.onnx":3:1)
#loc5 = loc("lenet.onnx":4:1)
#loc6 = loc("lenet.onnx":5:1)
#loc7 = loc("lenet.onnx":6:1)
#loc8 = loc("lenet.onnx":7:1)
#loc9 = loc("lenet.onnx":8:1)
#loc10 = loc("lenet.onnx":9:1)
#loc11 = loc("lenet.onnx":15:1)
#loc12 = loc("lenet.onnx":10:1)
#loc13 = loc("lenet.onnx":11:1)
#loc15 = loc("lenet.onnx":13:1)
#loc16 = loc("lenet.onnx":14:1)
#loc18 = loc("lenet.onnx":17:1)
#loc19 = loc("lenet.onnx":18:1)
#loc20 = loc("lenet.onnx":19:1)
#loc21 = loc("lenet.onnx":20:1)
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#loc22 = loc("image"(#loc2))
#loc23 = loc("conv1.weight"(#loc3))
#loc24 = loc("conv1.bias"(#loc4))
#loc25 = loc("conv2.weight"(#loc5))
#loc26 = loc("conv2.bias"(#loc6))
#loc27 = loc("fc1.weight"(#loc7))
#loc28 = loc("fc1.bias"(#loc8))
#loc29 = loc("fc2.weight"(#loc9))
#loc30 = loc("fc2.bias"(#loc10))
#loc31 = loc("pool2"(#loc11))
#loc32 = loc("conv1"(#loc12))
#loc33 = loc("relu1"(#loc13))
#loc35 = loc("conv2"(#loc15))
#loc36 = loc("relu2"(#loc16))
#loc38 = loc("fc1"(#loc18))
#loc39 = loc("relu3"(#loc19))
#loc40 = loc("fc2"(#loc20))
#loc41 = loc("softmax"(#loc21))
module {
  func.func @lenet(%arg0: tensor<?x1x12x12xf32> {symloc.dims = ["batch", "", "", ""]} loc("image"(#loc2)), %arg1: tensor<2x1x5x5xf32> {symloc.dims = ["", "", "", ""]} loc("conv1.weight"(#loc3)), %arg2: tensor<2xf32> {symloc.dims = [""]} loc("conv1.bias"(#loc4)), %arg3: tensor<3x2x3x3xf32> {symloc.dims = ["", "", "", ""]} loc("conv2.weight"(#loc5)), %arg4: tensor<3xf32> {symloc.dims = [""]} loc("conv2.bias"(#loc6)), %arg5: tensor<12x7xf32> {symloc.dims = ["", ""]} loc("fc1.weight"(#loc7)), %arg6: tensor<7xf32> {symloc.dims = [""]} loc("fc1.bias"(#loc8)), %arg7: tensor<7x4xf32> {symloc.dims = ["", ""]} loc("fc2.weight"(#loc9)), %arg8: tensor<4xf32> {symloc.dims = [""]} loc("fc2.bias"(#loc10))) -> tensor<?x4xf32> {
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %c0 = arith.constant 0 : index loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant 0xFF800000 : f32 loc(#loc)
    %cst_1 = arith.constant 4.000000e+00 : f32 loc(#loc31)
    %dim = tensor.dim %arg0, %c0 : tensor<?x1x12x12xf32> loc(#loc32)
    %padded = tensor.pad %arg0 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg9: index loc("conv1"(#loc12)), %arg10: index loc("conv1"(#loc12)), %arg11: index loc("conv1"(#loc12)), %arg12: index loc("conv1"(#loc12))):
      tensor.yield %cst : f32 loc(#loc32)
    } : tensor<?x1x12x12xf32> to tensor<?x1x16x16xf32> loc(#loc32)
    %0 = tensor.empty(%dim) : tensor<?x2x12x12xf32> loc(#loc32)
    %broadcasted = linalg.broadcast ins(%arg2 : tensor<2xf32>) outs(%0 : tensor<?x2x12x12xf32>) dimensions = [0, 2, 3]  loc(#loc32)
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg1 : tensor<?x1x16x16xf32>, tensor<2x1x5x5xf32>) outs(%broadcasted : tensor<?x2x12x12xf32>) -> tensor<?x2x12x12xf32> loc(#loc32)
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<?x2x12x12xf32>) outs(%0 : tensor<?x2x12x12xf32>) {
    ^bb0(%in: f32 loc("conv1"(#loc12)), %out: f32 loc("relu1"(#loc13))):
      %34 = arith.cmpf ugt, %in, %cst : f32 loc(#loc33)
      %35 = arith.select %34, %in, %cst : f32 loc(#loc33)
      linalg.yield %35 : f32 loc(#loc33)
    } -> tensor<?x2x12x12xf32> loc(#loc33)
    %3 = tensor.empty(%dim) : tensor<?x2x6x6xf32> loc(#loc34)
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32> loc(#loc34)
    %5 = tensor.empty() : tensor<2x2xf32> loc(#loc34)
    %6 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%2, %5 : tensor<?x2x12x12xf32>, tensor<2x2xf32>) outs(%4 : tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32> loc(#loc34)
    %7 = tensor.empty(%dim) : tensor<?x3x4x4xf32> loc(#loc35)
    %broadcasted_2 = linalg.broadcast ins(%arg4 : tensor<3xf32>) outs(%7 : tensor<?x3x4x4xf32>) dimensions = [0, 2, 3]  loc(#loc35)
    %8 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%6, %arg3 : tensor<?x2x6x6xf32>, tensor<3x2x3x3xf32>) outs(%broadcasted_2 : tensor<?x3x4x4xf32>) -> tensor<?x3x4x4xf32> loc(#loc35)
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<?x3x4x4xf32>) outs(%7 : tensor<?x3x4x4xf32>) {
    ^bb0(%in: f32 loc("conv2"(#loc15)), %out: f32 loc("relu2"(#loc16))):
      %34 = arith.cmpf ugt, %in, %cst : f32 loc(#loc36)
      %35 = arith.select %34, %in, %cst : f32 loc(#loc36)
      linalg.yield %35 : f32 loc(#loc36)
    } -> tensor<?x3x4x4xf32> loc(#loc36)
    %10 = tensor.empty(%dim) : tensor<?x3x2x2xf32> loc(#loc31)
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<?x3x2x2xf32>) -> tensor<?x3x2x2xf32> loc(#loc31)
    %12 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%9, %5 : tensor<?x3x4x4xf32>, tensor<2x2xf32>) outs(%11 : tensor<?x3x2x2xf32>) -> tensor<?x3x2x2xf32> loc(#loc31)
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<?x3x2x2xf32>) outs(%10 : tensor<?x3x2x2xf32>) {
    ^bb0(%in: f32 loc("pool2"(#loc11)), %out: f32 loc("pool2"(#loc11))):
      %34 = arith.divf %in, %cst_1 : f32 loc(#loc31)
      linalg.yield %34 : f32 loc(#loc31)
    } -> tensor<?x3x2x2xf32> loc(#loc31)
    %collapsed = tensor.collapse_shape %13 [[0], [1, 2, 3]] : tensor<?x3x2x2xf32> into tensor<?x12xf32> loc(#loc37)
    %14 = tensor.empty(%dim) : tensor<?x7xf32> loc(#loc38)
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<?x7xf32>) -> tensor<?x7xf32> loc(#loc38)
    %16 = linalg.matmul ins(%collapsed, %arg5 : tensor<?x12xf32>, tensor<12x7xf32>) outs(%15 : tensor<?x7xf32>) -> tensor<?x7xf32> loc(#loc38)
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %arg6 : tensor<?x7xf32>, tensor<7xf32>) outs(%14 : tensor<?x7xf32>) {
    ^bb0(%in: f32 loc("fc1"(#loc18)), %in_3: f32 loc("fc1"(#loc18)), %out: f32 loc("fc1"(#loc18))):
      %34 = arith.addf %in, %in_3 : f32 loc(#loc38)
      linalg.yield %34 : f32 loc(#loc38)
    } -> tensor<?x7xf32> loc(#loc38)
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<?x7xf32>) outs(%14 : tensor<?x7xf32>) {
    ^bb0(%in: f32 loc("fc1"(#loc18)), %out: f32 loc("relu3"(#loc19))):
      %34 = arith.cmpf ugt, %in, %cst : f32 loc(#loc39)
      %35 = arith.select %34, %in, %cst : f32 loc(#loc39)
      linalg.yield %35 : f32 loc(#loc39)
    } -> tensor<?x7xf32> loc(#loc39)
    %19 = tensor.empty(%dim) : tensor<?x4xf32> loc(#loc40)
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<?x4xf32>) -> tensor<?x4xf32> loc(#loc40)
    %21 = linalg.matmul ins(%18, %arg7 : tensor<?x7xf32>, tensor<7x4xf32>) outs(%20 : tensor<?x4xf32>) -> tensor<?x4xf32> loc(#loc40)
    %22 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%21, %arg8 : tensor<?x4xf32>, tensor<4xf32>) outs(%19 : tensor<?x4xf32>) {
    ^bb0(%in: f32 loc("fc2"(#loc20)), %in_3: f32 loc("fc2"(#loc20)), %out: f32 loc("fc2"(#loc20))):
      %34 = arith.addf %in, %in_3 : f32 loc(#loc40)
      linalg.yield %34 : f32 loc(#loc40)
    } -> tensor<?x4xf32> loc(#loc40)
    %23 = tensor.empty(%dim) : tensor<?xi64> loc(#loc41)
    %24 = linalg.fill ins(%c0_i64 : i64) outs(%23 : tensor<?xi64>) -> tensor<?xi64> loc(#loc41)
    %25 = tensor.empty(%dim) : tensor<?xf32> loc(#loc41)
    %26 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<?xf32>) -> tensor<?xf32> loc(#loc41)
    %27:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "reduction"]} ins(%22 : tensor<?x4xf32>) outs(%26, %24 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32 loc("fc2"(#loc20)), %out: f32 loc("softmax"(#loc21)), %out_3: i64 loc("softmax"(#loc21))):
      %34 = linalg.index 1 : index loc(#loc41)
      %35 = arith.index_cast %34 : index to i64 loc(#loc41)
      %36 = arith.maximumf %in, %out : f32 loc(#loc41)
      %37 = arith.cmpf ogt, %in, %out : f32 loc(#loc41)
      %38 = arith.select %37, %35, %out_3 : i64 loc(#loc41)
      linalg.yield %36, %38 : f32, i64 loc(#loc41)
    } -> (tensor<?xf32>, tensor<?xi64>) loc(#loc41)
    %expanded = tensor.expand_shape %27#0 [[0, 1]] output_shape [%dim, 1] : tensor<?xf32> into tensor<?x1xf32> loc(#loc41)
    %28 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %expanded : tensor<?x4xf32>, tensor<?x1xf32>) outs(%19 : tensor<?x4xf32>) {
    ^bb0(%in: f32 loc("fc2"(#loc20)), %in_3: f32 loc("softmax"(#loc21)), %out: f32 loc("softmax"(#loc21))):
      %34 = arith.subf %in, %in_3 : f32 loc(#loc41)
      linalg.yield %34 : f32 loc(#loc41)
    } -> tensor<?x4xf32> loc(#loc41)
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<?x4xf32>) outs(%19 : tensor<?x4xf32>) {
    ^bb0(%in: f32 loc("softmax"(#loc21)), %out: f32 loc("softmax"(#loc21))):
      %34 = math.exp %in : f32 loc(#loc41)
      linalg.yield %34 : f32 loc(#loc41)
    } -> tensor<?x4xf32> loc(#loc41)
    %30 = tensor.empty(%dim) : tensor<?x1xf32> loc(#loc41)
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<?x1xf32>) -> tensor<?x1xf32> loc(#loc41)
    %32 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%29 : tensor<?x4xf32>) outs(%31 : tensor<?x1xf32>) {
    ^bb0(%in: f32 loc("softmax"(#loc21)), %out: f32 loc("softmax"(#loc21))):
      %34 = arith.addf %in, %out : f32 loc(#loc41)
      linalg.yield %34 : f32 loc(#loc41)
    } -> tensor<?x1xf32> loc(#loc41)
    %33 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%29, %32 : tensor<?x4xf32>, tensor<?x1xf32>) outs(%19 : tensor<?x4xf32>) {
    ^bb0(%in: f32 loc("softmax"(#loc21)), %in_3: f32 loc("softmax"(#loc21)), %out: f32 loc("softmax"(#loc21))):
      %34 = arith.divf %in, %in_3 : f32 loc(#loc41)
      linalg.yield %34 : f32 loc(#loc41)
    } -> tensor<?x4xf32> loc(#loc41)
    return %33 : tensor<?x4xf32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("graph:lenet")
#loc14 = loc("lenet.onnx":12:1)
#loc17 = loc("lenet.onnx":16:1)
#loc34 = loc("pool1"(#loc14))
#loc37 = loc("flatten"(#loc17))

