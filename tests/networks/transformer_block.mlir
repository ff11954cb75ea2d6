#loc2 = loc("transformer_block.onnx":1:1)
#loc3 = loc("transformer_block.onnx":2:1)
#loc4 = loc("transformer_block.onnx":3:1)
#loc5 = loc("transformer_block.onnx":4:1)
#loc6 = loc("transformer_block.onnx":5:1)
#loc7 = loc("transformer_block.onnx":6:1)
#loc8 = loc("transformer_block.onnx":7:1)
#loc9 = loc("transformer_block.onnx":8:1)
#loc10 = loc("transformer_block.onnx":9:1)
#loc11 = loc("transformer_block.onnx":10:1)
#loc12 = loc("transformer_block.onnx":11:1)
#loc13 = loc("transformer_block.onnx":12:1)
#loc14 = loc("transformer_block.onnx":13:1)
#loc15 = loc("transformer_block.onnx":14:1)
#loc16 = loc("transformer_block.onnx":15:1)
#loc17 = loc("transformer_block.onnx":16:1)
#loc18 = loc("transformer_block.onnx":17:1)
#loc19 = loc("transformer_block.onnx":18:1)
#loc20 = loc("transformer_block.onnx":34:1)
#loc21 = loc("transformer_block.onnx":32:1)
#loc22 = loc("transformer_block.onnx":19:1)
#loc23 = loc("transformer_block.onnx":20:1)
#loc26 = loc("transformer_block.onnx":23:1)
#loc27 = loc("transformer_block.onnx":24:1)
#loc30 = loc("transformer_block.onnx":27:1)
#loc31 = loc("transformer_block.onnx":28:1)
#loc34 = loc("transformer_block.onnx":31:1)
#loc35 = loc("transformer_block.onnx":33:1)
#loc39 = loc("transformer_block.onnx":38:1)
#loc40 = loc("transformer_block.onnx":39:1)
#loc41 = loc("transformer_block.onnx":40:1)
#loc42 = loc("transformer_block.onnx":41:1)
#loc43 = loc("transformer_block.onnx":42:1)
#loc44 = loc("transformer_block.onnx":43:1)
#loc45 = loc("transformer_block.onnx":44:1)
#loc46 = loc("transformer_block.onnx":45:1)
#loc47 = loc("transformer_block.onnx":46:1)
#loc48 = loc("transformer_block.onnx":47:1)
#loc49 = loc("transformer_block.onnx":48:1)
#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1)>
#loc50 = loc("x"(#loc2))
#loc51 = loc("mask"(#loc3))
#loc52 = loc("query.weight"(#loc4))
#loc53 = loc("query.bias"(#loc5))
#loc54 = loc("key.weight"(#loc6))
#loc55 = loc("key.bias"(#loc7))
#loc56 = loc("value.weight"(#loc8))
#loc57 = loc("value.bias"(#loc9))
#loc58 = loc("project.weight"(#loc10))
#loc59 = loc("project.bias"(#loc11))
#loc60 = loc("norm1.scale"(#loc12))
#loc61 = loc("norm1.shift"(#loc13))
#loc62 = loc("expand.weight"(#loc14))
#loc63 = loc("expand.bias"(#loc15))
#loc64 = loc("contract.weight"(#loc16))
#loc65 = loc("contract.bias"(#loc17))
#loc66 = loc("norm2.scale"(#loc18))
#loc67 = loc("norm2.shift"(#loc19))
#loc68 = loc("attention"(#loc20))
#loc69 = loc("scale"(#loc21))
#loc70 = loc("query"(#loc22))
#loc71 = loc("query.add"(#loc23))
#loc74 = loc("key"(#loc26))
#loc75 = loc("key.add"(#loc27))
#loc78 = loc("value"(#loc30))
#loc79 = loc("value.add"(#loc31))
#loc82 = loc("scores"(#loc34))
#loc83 = loc("masked"(#loc35))
#loc87 = loc("project"(#loc39))
#loc88 = loc("project.add"(#loc40))
#loc89 = loc("residual1"(#loc41))
#loc90 = loc("norm1"(#loc42))
#loc91 = loc("expand"(#loc43))
#loc92 = loc("expand.add"(#loc44))
#loc93 = loc("relu"(#loc45))
#loc94 = loc("contract"(#loc46))
#loc95 = loc("contract.add"(#loc47))
#loc96 = loc("residual2"(#loc48))
#loc97 = loc("norm2"(#loc49))
module {
  func.func @transformer_block(%arg0: tensor<?x?x6xf32> {symloc.dims = ["batch", "sequence", ""]} loc("x"(#loc2)), %arg1: tensor<?x1x1x?xf32> {symloc.dims = ["batch", "", "", "sequence"]} loc("mask"(#loc3)), %arg2: tensor<6x6xf32> {symloc.dims = ["", ""]} loc("query.weight"(#loc4)), %arg3: tensor<6xf32> {symloc.dims = [""]} loc("query.bias"(#loc5)), %arg4: tensor<6x6xf32> {symloc.dims = ["", ""]} loc("key.weight"(#loc6)), %arg5: tensor<6xf32> {symloc.dims = [""]} loc("key.bias"(#loc7)), %arg6: tensor<6x6xf32> {symloc.dims = ["", ""]} loc("value.weight"(#loc8)), %arg7: tensor<6xf32> {symloc.dims = [""]} loc("value.bias"(#loc9)), %arg8: tensor<6x6xf32> {symloc.dims = ["", ""]} loc("project.weight"(#loc10)), %arg9: tensor<6xf32> {symloc.dims = [""]} loc("project.bias"(#loc11)), %arg10: tensor<6xf32> {symloc.dims = [""]} loc("norm1.scale"(#loc12)), %arg11: tensor<6xf32> {symloc.dims = [""]} loc("norm1.shift"(#loc13)), %arg12: tensor<6x10xf32> {symloc.dims = ["", ""]} loc("expand.weight"(#loc14)), %arg13: tensor<10xf32> {symloc.dims = [""]} loc("expand.bias"(#loc15)), %arg14: tensor<10x6xf32> {symloc.dims = ["", ""]} loc("contract.weight"(#loc16)), %arg15: tensor<6xf32> {symloc.dims = [""]} loc("contract.bias"(#loc17)), %arg16: tensor<6xf32> {symloc.dims = [""]} loc("norm2.scale"(#loc18)), %arg17: tensor<6xf32> {symloc.dims = [""]} loc("norm2.shift"(#loc19))) -> tensor<?x?x6xf32> {
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %c0 = arith.constant 0 : index loc(#loc)
    %c1 = arith.constant 1 : index loc(#loc)
    %c2 = arith.constant 2 : index loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant 0xFF800000 : f32 loc(#loc68)
    %cst_1 = arith.constant dense<1.73205078> : tensor<f32> loc(#loc69)
    %cst_2 = arith.constant 6.000000e+00 : f32 loc(#loc)
    %cst_3 = arith.constant 9.99999974E-6 : f32 loc(#loc)
    %dim = tensor.dim %arg0, %c0 : tensor<?x?x6xf32> loc(#loc70)
    %dim_4 = tensor.dim %arg0, %c1 : tensor<?x?x6xf32> loc(#loc70)
    %0 = tensor.empty(%dim) : tensor<?x6x6xf32> loc(#loc70)
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<6x6xf32>) outs(%0 : tensor<?x6x6xf32>) {
    ^bb0(%in: f32 loc("query"(#loc22)), %out: f32 loc("query"(#loc22))):
      linalg.yield %in : f32 loc(#loc70)
    } -> tensor<?x6x6xf32> loc(#loc70)
    %2 = tensor.empty(%dim, %dim_4) : tensor<?x?x6xf32> loc(#loc70)
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x?x6xf32>) -> tensor<?x?x6xf32> loc(#loc70)
    %4 = linalg.batch_matmul ins(%arg0, %1 : tensor<?x?x6xf32>, tensor<?x6x6xf32>) outs(%3 : tensor<?x?x6xf32>) -> tensor<?x?x6xf32> loc(#loc70)
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %arg3 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("query"(#loc22)), %in_21: f32 loc("query.add"(#loc23)), %out: f32 loc("query.add"(#loc23))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc71)
      linalg.yield %88 : f32 loc(#loc71)
    } -> tensor<?x?x6xf32> loc(#loc71)
    %expanded = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [%dim, %dim_4, 2, 3] : tensor<?x?x6xf32> into tensor<?x?x2x3xf32> loc(#loc72)
    %6 = tensor.empty(%dim, %dim_4) : tensor<?x2x?x3xf32> loc(#loc73)
    %transposed = linalg.transpose ins(%expanded : tensor<?x?x2x3xf32>) outs(%6 : tensor<?x2x?x3xf32>) permutation = [0, 2, 1, 3]  loc(#loc73)
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<6x6xf32>) outs(%0 : tensor<?x6x6xf32>) {
    ^bb0(%in: f32 loc("key"(#loc26)), %out: f32 loc("key"(#loc26))):
      linalg.yield %in : f32 loc(#loc74)
    } -> tensor<?x6x6xf32> loc(#loc74)
    %8 = linalg.batch_matmul ins(%arg0, %7 : tensor<?x?x6xf32>, tensor<?x6x6xf32>) outs(%3 : tensor<?x?x6xf32>) -> tensor<?x?x6xf32> loc(#loc74)
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %arg5 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("key"(#loc26)), %in_21: f32 loc("key.add"(#loc27)), %out: f32 loc("key.add"(#loc27))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc75)
      linalg.yield %88 : f32 loc(#loc75)
    } -> tensor<?x?x6xf32> loc(#loc75)
    %expanded_5 = tensor.expand_shape %9 [[0], [1], [2, 3]] output_shape [%dim, %dim_4, 2, 3] : tensor<?x?x6xf32> into tensor<?x?x2x3xf32> loc(#loc76)
    %10 = tensor.empty(%dim, %dim_4) : tensor<?x2x3x?xf32> loc(#loc77)
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<?x?x2x3xf32>) outs(%10 : tensor<?x2x3x?xf32>) permutation = [0, 2, 3, 1]  loc(#loc77)
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<6x6xf32>) outs(%0 : tensor<?x6x6xf32>) {
    ^bb0(%in: f32 loc("value"(#loc30)), %out: f32 loc("value"(#loc30))):
      linalg.yield %in : f32 loc(#loc78)
    } -> tensor<?x6x6xf32> loc(#loc78)
    %12 = linalg.batch_matmul ins(%arg0, %11 : tensor<?x?x6xf32>, tensor<?x6x6xf32>) outs(%3 : tensor<?x?x6xf32>) -> tensor<?x?x6xf32> loc(#loc78)
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %arg7 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("value"(#loc30)), %in_21: f32 loc("value.add"(#loc31)), %out: f32 loc("value.add"(#loc31))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc79)
      linalg.yield %88 : f32 loc(#loc79)
    } -> tensor<?x?x6xf32> loc(#loc79)
    %expanded_7 = tensor.expand_shape %13 [[0], [1], [2, 3]] output_shape [%dim, %dim_4, 2, 3] : tensor<?x?x6xf32> into tensor<?x?x2x3xf32> loc(#loc80)
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<?x?x2x3xf32>) outs(%6 : tensor<?x2x?x3xf32>) permutation = [0, 2, 1, 3]  loc(#loc81)
    %collapsed = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<?x2x?x3xf32> into tensor<?x?x3xf32> loc(#loc82)
    %collapsed_9 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<?x2x3x?xf32> into tensor<?x3x?xf32> loc(#loc82)
    %14 = arith.muli %dim, %c2 : index loc(#loc82)
    %15 = tensor.empty(%14, %dim_4, %dim_4) : tensor<?x?x?xf32> loc(#loc82)
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc82)
    %17 = linalg.batch_matmul ins(%collapsed, %collapsed_9 : tensor<?x?x3xf32>, tensor<?x3x?xf32>) outs(%16 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc82)
    %18 = arith.divsi %14, %c2 : index loc(#loc82)
    %expanded_10 = tensor.expand_shape %17 [[0, 1], [2], [3]] output_shape [%18, 2, %dim_4, %dim_4] : tensor<?x?x?xf32> into tensor<?x2x?x?xf32> loc(#loc82)
    %19 = tensor.empty(%18, %dim_4, %dim_4) : tensor<?x2x?x?xf32> loc(#loc69)
    %20 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %cst_1 : tensor<?x2x?x?xf32>, tensor<f32>) outs(%19 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("scores"(#loc34)), %in_21: f32 loc("scale"(#loc21)), %out: f32 loc("scale"(#loc21))):
      %88 = arith.divf %in, %in_21 : f32 loc(#loc69)
      linalg.yield %88 : f32 loc(#loc69)
    } -> tensor<?x2x?x?xf32> loc(#loc69)
    %21 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<?x2x?x?xf32>, tensor<?x1x1x?xf32>) outs(%19 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("scale"(#loc21)), %in_21: f32 loc("masked"(#loc35)), %out: f32 loc("masked"(#loc35))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc83)
      linalg.yield %88 : f32 loc(#loc83)
    } -> tensor<?x2x?x?xf32> loc(#loc83)
    %22 = tensor.empty(%18, %dim_4) : tensor<?x2x?xi64> loc(#loc68)
    %23 = linalg.fill ins(%c0_i64 : i64) outs(%22 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64> loc(#loc68)
    %24 = tensor.empty(%18, %dim_4) : tensor<?x2x?xf32> loc(#loc68)
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32> loc(#loc68)
    %26:2 = linalg.generic {indexing_maps = [#map3, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<?x2x?x?xf32>) outs(%25, %23 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32 loc("masked"(#loc35)), %out: f32 loc("attention"(#loc20)), %out_21: i64 loc("attention"(#loc20))):
      %88 = linalg.index 3 : index loc(#loc68)
      %89 = arith.index_cast %88 : index to i64 loc(#loc68)
      %90 = arith.maximumf %in, %out : f32 loc(#loc68)
      %91 = arith.cmpf ogt, %in, %out : f32 loc(#loc68)
      %92 = arith.select %91, %89, %out_21 : i64 loc(#loc68)
      linalg.yield %90, %92 : f32, i64 loc(#loc68)
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>) loc(#loc68)
    %expanded_11 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [%18, 2, %dim_4, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32> loc(#loc68)
    %27 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_11 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%19 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("masked"(#loc35)), %in_21: f32 loc("attention"(#loc20)), %out: f32 loc("attention"(#loc20))):
      %88 = arith.subf %in, %in_21 : f32 loc(#loc68)
      linalg.yield %88 : f32 loc(#loc68)
    } -> tensor<?x2x?x?xf32> loc(#loc68)
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<?x2x?x?xf32>) outs(%19 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention"(#loc20)), %out: f32 loc("attention"(#loc20))):
      %88 = math.exp %in : f32 loc(#loc68)
      linalg.yield %88 : f32 loc(#loc68)
    } -> tensor<?x2x?x?xf32> loc(#loc68)
    %29 = tensor.empty(%18, %dim_4) : tensor<?x2x?x1xf32> loc(#loc68)
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32> loc(#loc68)
    %31 = linalg.generic {indexing_maps = [#map3, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<?x2x?x?xf32>) outs(%30 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32 loc("attention"(#loc20)), %out: f32 loc("attention"(#loc20))):
      %88 = arith.addf %in, %out : f32 loc(#loc68)
      linalg.yield %88 : f32 loc(#loc68)
    } -> tensor<?x2x?x1xf32> loc(#loc68)
    %32 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %31 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%19 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention"(#loc20)), %in_21: f32 loc("attention"(#loc20)), %out: f32 loc("attention"(#loc20))):
      %88 = arith.divf %in, %in_21 : f32 loc(#loc68)
      linalg.yield %88 : f32 loc(#loc68)
    } -> tensor<?x2x?x?xf32> loc(#loc68)
    %33 = arith.maxui %18, %dim : index loc(#loc84)
    %collapsed_12 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<?x2x?x?xf32> into tensor<?x?x?xf32> loc(#loc84)
    %collapsed_13 = tensor.collapse_shape %transposed_8 [[0, 1], [2], [3]] : tensor<?x2x?x3xf32> into tensor<?x?x3xf32> loc(#loc84)
    %34 = arith.muli %33, %c2 : index loc(#loc84)
    %35 = tensor.empty(%34, %dim_4) : tensor<?x?x3xf32> loc(#loc84)
    %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<?x?x3xf32>) -> tensor<?x?x3xf32> loc(#loc84)
    %37 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<?x?x?xf32>, tensor<?x?x3xf32>) outs(%36 : tensor<?x?x3xf32>) -> tensor<?x?x3xf32> loc(#loc84)
    %38 = arith.divsi %34, %c2 : index loc(#loc84)
    %expanded_14 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [%38, 2, %dim_4, 3] : tensor<?x?x3xf32> into tensor<?x2x?x3xf32> loc(#loc84)
    %39 = tensor.empty(%38, %dim_4) : tensor<?x?x2x3xf32> loc(#loc85)
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<?x2x?x3xf32>) outs(%39 : tensor<?x?x2x3xf32>) permutation = [0, 2, 1, 3]  loc(#loc85)
    %collapsed_16 = tensor.collapse_shape %transposed_15 [[0], [1], [2, 3]] : tensor<?x?x2x3xf32> into tensor<?x?x6xf32> loc(#loc86)
    %40 = tensor.empty(%38) : tensor<?x6x6xf32> loc(#loc87)
    %41 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<6x6xf32>) outs(%40 : tensor<?x6x6xf32>) {
    ^bb0(%in: f32 loc("project"(#loc39)), %out: f32 loc("project"(#loc39))):
      linalg.yield %in : f32 loc(#loc87)
    } -> tensor<?x6x6xf32> loc(#loc87)
    %42 = tensor.empty(%38, %dim_4) : tensor<?x?x6xf32> loc(#loc87)
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<?x?x6xf32>) -> tensor<?x?x6xf32> loc(#loc87)
    %44 = linalg.batch_matmul ins(%collapsed_16, %41 : tensor<?x?x6xf32>, tensor<?x6x6xf32>) outs(%43 : tensor<?x?x6xf32>) -> tensor<?x?x6xf32> loc(#loc87)
    %45 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44, %arg9 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%42 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("project"(#loc39)), %in_21: f32 loc("project.add"(#loc40)), %out: f32 loc("project.add"(#loc40))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc88)
      linalg.yield %88 : f32 loc(#loc88)
    } -> tensor<?x?x6xf32> loc(#loc88)
    %46 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %45 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("query"(#loc22)), %in_21: f32 loc("project.add"(#loc40)), %out: f32 loc("residual1"(#loc41))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc89)
      linalg.yield %88 : f32 loc(#loc89)
    } -> tensor<?x?x6xf32> loc(#loc89)
    %47 = tensor.empty(%dim, %dim_4) : tensor<?x?x1xf32> loc(#loc90)
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32> loc(#loc90)
    %49 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%46 : tensor<?x?x6xf32>) outs(%48 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("residual1"(#loc41)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.addf %in, %out : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x1xf32> loc(#loc90)
    %50 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<?x?x1xf32>) outs(%47 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.divf %in, %cst_2 : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x1xf32> loc(#loc90)
    %51 = tensor.empty(%dim, %dim_4) : tensor<?x?x6xf32> loc(#loc90)
    %collapsed_17 = tensor.collapse_shape %50 [[0], [1, 2]] : tensor<?x?x1xf32> into tensor<?x?xf32> loc(#loc90)
    %52 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_17 : tensor<?x?xf32>) outs(%51 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      linalg.yield %in : f32 loc(#loc90)
    } -> tensor<?x?x6xf32> loc(#loc90)
    %53 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %52 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("residual1"(#loc41)), %in_21: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.subf %in, %in_21 : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x6xf32> loc(#loc90)
    %54 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %53 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %in_21: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.mulf %in, %in_21 : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x6xf32> loc(#loc90)
    %55 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%54 : tensor<?x?x6xf32>) outs(%48 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.addf %in, %out : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x1xf32> loc(#loc90)
    %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<?x?x1xf32>) outs(%47 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.divf %in, %cst_2 : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x1xf32> loc(#loc90)
    %57 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<?x?x1xf32>) outs(%47 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.addf %in, %cst_3 : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x1xf32> loc(#loc90)
    %58 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<?x?x1xf32>) outs(%47 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = math.rsqrt %in : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x1xf32> loc(#loc90)
    %collapsed_18 = tensor.collapse_shape %58 [[0], [1, 2]] : tensor<?x?x1xf32> into tensor<?x?xf32> loc(#loc90)
    %59 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_18 : tensor<?x?xf32>) outs(%51 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      linalg.yield %in : f32 loc(#loc90)
    } -> tensor<?x?x6xf32> loc(#loc90)
    %60 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %59 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %in_21: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.mulf %in, %in_21 : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x6xf32> loc(#loc90)
    %61 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %arg10 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %in_21: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.mulf %in, %in_21 : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x6xf32> loc(#loc90)
    %62 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %arg11 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %in_21: f32 loc("norm1"(#loc42)), %out: f32 loc("norm1"(#loc42))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc90)
      linalg.yield %88 : f32 loc(#loc90)
    } -> tensor<?x?x6xf32> loc(#loc90)
    %63 = tensor.empty(%dim) : tensor<?x6x10xf32> loc(#loc91)
    %64 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<6x10xf32>) outs(%63 : tensor<?x6x10xf32>) {
    ^bb0(%in: f32 loc("expand"(#loc43)), %out: f32 loc("expand"(#loc43))):
      linalg.yield %in : f32 loc(#loc91)
    } -> tensor<?x6x10xf32> loc(#loc91)
    %65 = tensor.empty(%dim, %dim_4) : tensor<?x?x10xf32> loc(#loc91)
    %66 = linalg.fill ins(%cst : f32) outs(%65 : tensor<?x?x10xf32>) -> tensor<?x?x10xf32> loc(#loc91)
    %67 = linalg.batch_matmul ins(%62, %64 : tensor<?x?x6xf32>, tensor<?x6x10xf32>) outs(%66 : tensor<?x?x10xf32>) -> tensor<?x?x10xf32> loc(#loc91)
    %68 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %arg13 : tensor<?x?x10xf32>, tensor<10xf32>) outs(%65 : tensor<?x?x10xf32>) {
    ^bb0(%in: f32 loc("expand"(#loc43)), %in_21: f32 loc("expand.add"(#loc44)), %out: f32 loc("expand.add"(#loc44))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc92)
      linalg.yield %88 : f32 loc(#loc92)
    } -> tensor<?x?x10xf32> loc(#loc92)
    %69 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<?x?x10xf32>) outs(%65 : tensor<?x?x10xf32>) {
    ^bb0(%in: f32 loc("expand.add"(#loc44)), %out: f32 loc("relu"(#loc45))):
      %88 = arith.cmpf ugt, %in, %cst : f32 loc(#loc93)
      %89 = arith.select %88, %in, %cst : f32 loc(#loc93)
      linalg.yield %89 : f32 loc(#loc93)
    } -> tensor<?x?x10xf32> loc(#loc93)
    %70 = tensor.empty(%dim) : tensor<?x10x6xf32> loc(#loc94)
    %71 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg14 : tensor<10x6xf32>) outs(%70 : tensor<?x10x6xf32>) {
    ^bb0(%in: f32 loc("contract"(#loc46)), %out: f32 loc("contract"(#loc46))):
      linalg.yield %in : f32 loc(#loc94)
    } -> tensor<?x10x6xf32> loc(#loc94)
    %72 = linalg.batch_matmul ins(%69, %71 : tensor<?x?x10xf32>, tensor<?x10x6xf32>) outs(%3 : tensor<?x?x6xf32>) -> tensor<?x?x6xf32> loc(#loc94)
    %73 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %arg15 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("contract"(#loc46)), %in_21: f32 loc("contract.add"(#loc47)), %out: f32 loc("contract.add"(#loc47))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc95)
      linalg.yield %88 : f32 loc(#loc95)
    } -> tensor<?x?x6xf32> loc(#loc95)
    %74 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %73 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm1"(#loc42)), %in_21: f32 loc("contract.add"(#loc47)), %out: f32 loc("residual2"(#loc48))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc96)
      linalg.yield %88 : f32 loc(#loc96)
    } -> tensor<?x?x6xf32> loc(#loc96)
    %75 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%74 : tensor<?x?x6xf32>) outs(%48 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("residual2"(#loc48)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.addf %in, %out : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x1xf32> loc(#loc97)
    %76 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<?x?x1xf32>) outs(%47 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.divf %in, %cst_2 : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x1xf32> loc(#loc97)
    %collapsed_19 = tensor.collapse_shape %76 [[0], [1, 2]] : tensor<?x?x1xf32> into tensor<?x?xf32> loc(#loc97)
    %77 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_19 : tensor<?x?xf32>) outs(%51 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      linalg.yield %in : f32 loc(#loc97)
    } -> tensor<?x?x6xf32> loc(#loc97)
    %78 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %77 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("residual2"(#loc48)), %in_21: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.subf %in, %in_21 : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x6xf32> loc(#loc97)
    %79 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %78 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %in_21: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.mulf %in, %in_21 : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x6xf32> loc(#loc97)
    %80 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%79 : tensor<?x?x6xf32>) outs(%48 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.addf %in, %out : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x1xf32> loc(#loc97)
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<?x?x1xf32>) outs(%47 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.divf %in, %cst_2 : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x1xf32> loc(#loc97)
    %82 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<?x?x1xf32>) outs(%47 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.addf %in, %cst_3 : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x1xf32> loc(#loc97)
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<?x?x1xf32>) outs(%47 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = math.rsqrt %in : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x1xf32> loc(#loc97)
    %collapsed_20 = tensor.collapse_shape %83 [[0], [1, 2]] : tensor<?x?x1xf32> into tensor<?x?xf32> loc(#loc97)
    %84 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_20 : tensor<?x?xf32>) outs(%51 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      linalg.yield %in : f32 loc(#loc97)
    } -> tensor<?x?x6xf32> loc(#loc97)
    %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %84 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %in_21: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.mulf %in, %in_21 : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x6xf32> loc(#loc97)
    %86 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %arg16 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %in_21: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.mulf %in, %in_21 : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x6xf32> loc(#loc97)
    %87 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %arg17 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%2 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm2"(#loc49)), %in_21: f32 loc("norm2"(#loc49)), %out: f32 loc("norm2"(#loc49))):
      %88 = arith.addf %in, %in_21 : f32 loc(#loc97)
      linalg.yield %88 : f32 loc(#loc97)
    } -> tensor<?x?x6xf32> loc(#loc97)
    return %87 : tensor<?x?x6xf32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("graph:transformer_block")
#loc24 = loc("transformer_block.onnx":21:1)
#loc25 = loc("transformer_block.onnx":22:1)
#loc28 = loc("transformer_block.onnx":25:1)
#loc29 = loc("transformer_block.onnx":26:1)
#loc32 = loc("transformer_block.onnx":29:1)
#loc33 = loc("transformer_block.onnx":30:1)
#loc36 = loc("transformer_block.onnx":35:1)
#loc37 = loc("transformer_block.onnx":36:1)
#loc38 = loc("transformer_block.onnx":37:1)
#loc72 = loc("query.heads"(#loc24))
#loc73 = loc("query.transpose"(#loc25))
#loc76 = loc("key.heads"(#loc28))
#loc77 = loc("key.transpose"(#loc29))
#loc80 = loc("value.heads"(#loc32))
#loc81 = loc("value.transpose"(#loc33))
#loc84 = loc("mix"(#loc36))
#loc85 = loc("mixed"(#loc37))
#loc86 = loc("joined"(#loc38))

