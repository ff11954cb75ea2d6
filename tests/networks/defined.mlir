#loc2 = loc("tests/networks/defined.onnx":1:1)
#loc3 = loc("tests/networks/defined.onnx":2:1)
#loc4 = loc("tests/networks/defined.onnx":3:1)
#loc5 = loc("tests/networks/defined.onnx":54:1)
#loc6 = loc("tests/networks/defined.onnx":50:1)
#loc7 = loc("tests/networks/defined.onnx":48:1)
#loc8 = loc("tests/networks/defined.onnx":38:1)
#loc9 = loc("tests/networks/defined.onnx":8:1)
#loc10 = loc("tests/networks/defined.onnx":23:1)
#loc11 = loc("tests/networks/defined.onnx":6:1)
#loc12 = loc("tests/networks/defined.onnx":7:1)
#loc13 = loc("tests/networks/defined.onnx":9:1)
#loc14 = loc("tests/networks/defined.onnx":10:1)
#loc15 = loc("tests/networks/defined.onnx":12:1)
#loc23 = loc("tests/networks/defined.onnx":37:1)
#loc24 = loc("tests/networks/defined.onnx":39:1)
#loc25 = loc("tests/networks/defined.onnx":40:1)
#loc26 = loc("tests/networks/defined.onnx":42:1)
#loc27 = loc("tests/networks/defined.onnx":44:1)
#loc28 = loc("tests/networks/defined.onnx":46:1)
#loc29 = loc("tests/networks/defined.onnx":51:1)
#loc30 = loc("tests/networks/defined.onnx":55:1)
#loc31 = loc("tests/networks/defined.onnx":56:1)
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1) -> (d0)>
#map10 = affine_map<(d0, d1) -> (d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d2, 0)>
#loc32 = loc("x"(#loc2))
#loc33 = loc("norm.scale"(#loc3))
#loc34 = loc("values"(#loc4))
#loc35 = loc("swish/Mul"(#loc5))
#loc36 = loc("attention/Where"(#loc6))
#loc37 = loc("attention/Equal"(#loc7))
#loc38 = loc("attention/Mul"(#loc8))
#loc39 = loc("norm/Add"(#loc9))
#loc40 = loc("attention/ConstantOfShape"(#loc10))
#loc41 = loc("norm/Mul"(#loc11))
#loc42 = loc("norm/ReduceMean"(#loc12))
#loc43 = loc("norm/Sqrt"(#loc13))
#loc44 = loc("norm/Div"(#loc14))
#loc45 = loc("norm/Mul.2"(#loc15))
#loc53 = loc("attention/Transpose"(#loc23))
#loc54 = loc("attention/Mul.2"(#loc24))
#loc55 = loc("attention/MatMul"(#loc25))
#loc56 = loc("attention/Add"(#loc26))
#loc57 = loc("attention/Softmax"(#loc27))
#loc58 = loc("attention/ReduceMax"(#loc28))
#loc59 = loc("attention/MatMul.2"(#loc29))
#loc60 = loc("swish/Sigmoid"(#loc30))
#loc61 = loc("swish/Mul.2"(#loc31))
module {
  func.func @defined(%arg0: tensor<?x2x?x4xf32> {symloc.dims = ["batch", "", "sequence", ""]} loc("x"(#loc2)), %arg1: tensor<4xf32> {symloc.dims = [""]} loc("norm.scale"(#loc3)), %arg2: tensor<?x2x?x4xf32> {symloc.dims = ["batch", "", "sequence", ""]} loc("values"(#loc4))) -> tensor<?x2x?x4xf32> {
    %cst = arith.constant 4.000000e+00 : f32 loc(#loc)
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32> loc(#loc35)
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1xf32> loc(#loc36)
    %cst_2 = arith.constant dense<0xFF800000> : tensor<1xf32> loc(#loc37)
    %cst_3 = arith.constant dense<0.707106769> : tensor<1xf32> loc(#loc38)
    %cst_4 = arith.constant dense<9.99999974E-6> : tensor<f32> loc(#loc39)
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f32> loc(#loc40)
    %cst_6 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %cst_7 = arith.constant 0xFF800000 : f32 loc(#loc)
    %cst_8 = arith.constant 0.000000e+00 : f32 loc(#loc)
    %c2 = arith.constant 2 : index loc(#loc)
    %c0 = arith.constant 0 : index loc(#loc)
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %c2_i64 = arith.constant 2 : i64 loc(#loc)
    %c4_i64 = arith.constant 4 : i64 loc(#loc)
    %dim = tensor.dim %arg0, %c0 : tensor<?x2x?x4xf32> loc(#loc41)
    %dim_9 = tensor.dim %arg0, %c2 : tensor<?x2x?x4xf32> loc(#loc41)
    %0 = tensor.empty(%dim, %dim_9) : tensor<?x2x?x4xf32> loc(#loc41)
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<?x2x?x4xf32>, tensor<?x2x?x4xf32>) outs(%0 : tensor<?x2x?x4xf32>) {
    ^bb0(%in: f32 loc("norm/Mul"(#loc11)), %in_21: f32 loc("norm/Mul"(#loc11)), %out: f32 loc("norm/Mul"(#loc11))):
      %60 = arith.mulf %in, %in_21 : f32 loc(#loc41)
      linalg.yield %60 : f32 loc(#loc41)
    } -> tensor<?x2x?x4xf32> loc(#loc41)
    %2 = tensor.empty(%dim, %dim_9) : tensor<?x2x?x1xf32> loc(#loc42)
    %3 = linalg.fill ins(%cst_8 : f32) outs(%2 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32> loc(#loc42)
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<?x2x?x4xf32>) outs(%3 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32 loc("norm/Mul"(#loc11)), %out: f32 loc("norm/ReduceMean"(#loc12))):
      %60 = arith.addf %in, %out : f32 loc(#loc42)
      linalg.yield %60 : f32 loc(#loc42)
    } -> tensor<?x2x?x1xf32> loc(#loc42)
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<?x2x?x1xf32>) outs(%2 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32 loc("norm/ReduceMean"(#loc12)), %out: f32 loc("norm/ReduceMean"(#loc12))):
      %60 = arith.divf %in, %cst : f32 loc(#loc42)
      linalg.yield %60 : f32 loc(#loc42)
    } -> tensor<?x2x?x1xf32> loc(#loc42)
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %cst_4 : tensor<?x2x?x1xf32>, tensor<f32>) outs(%2 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32 loc("norm/ReduceMean"(#loc12)), %in_21: f32 loc("norm/Add"(#loc9)), %out: f32 loc("norm/Add"(#loc9))):
      %60 = arith.addf %in, %in_21 : f32 loc(#loc39)
      linalg.yield %60 : f32 loc(#loc39)
    } -> tensor<?x2x?x1xf32> loc(#loc39)
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<?x2x?x1xf32>) outs(%2 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32 loc("norm/Add"(#loc9)), %out: f32 loc("norm/Sqrt"(#loc13))):
      %60 = math.sqrt %in : f32 loc(#loc43)
      linalg.yield %60 : f32 loc(#loc43)
    } -> tensor<?x2x?x1xf32> loc(#loc43)
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<?x2x?x4xf32>, tensor<?x2x?x1xf32>) outs(%0 : tensor<?x2x?x4xf32>) {
    ^bb0(%in: f32 loc("norm/Mul"(#loc11)), %in_21: f32 loc("norm/Sqrt"(#loc13)), %out: f32 loc("norm/Div"(#loc14))):
      %60 = arith.divf %in, %in_21 : f32 loc(#loc44)
      linalg.yield %60 : f32 loc(#loc44)
    } -> tensor<?x2x?x4xf32> loc(#loc44)
    %9 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %arg1 : tensor<?x2x?x4xf32>, tensor<4xf32>) outs(%0 : tensor<?x2x?x4xf32>) {
    ^bb0(%in: f32 loc("norm/Div"(#loc14)), %in_21: f32 loc("norm/Mul.2"(#loc15)), %out: f32 loc("norm/Mul.2"(#loc15))):
      %60 = arith.mulf %in, %in_21 : f32 loc(#loc45)
      linalg.yield %60 : f32 loc(#loc45)
    } -> tensor<?x2x?x4xf32> loc(#loc45)
    %10 = arith.index_cast %dim : index to i64 loc(#loc46)
    %11 = arith.index_cast %dim_9 : index to i64 loc(#loc47)
    %12 = tensor.empty(%dim_9, %dim_9) : tensor<?x?xf32> loc(#loc40)
    %13 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%12 : tensor<?x?xf32>) {
    ^bb0(%in: f32 loc("attention/ConstantOfShape"(#loc10)), %out: f32 loc("attention/ConstantOfShape"(#loc10))):
      linalg.yield %in : f32 loc(#loc40)
    } -> tensor<?x?xf32> loc(#loc40)
    %expanded = tensor.expand_shape %9 [[0], [1], [2, 3], [4]] output_shape [%dim, 2, 1, %dim_9, 4] : tensor<?x2x?x4xf32> into tensor<?x2x1x?x4xf32> loc(#loc48)
    %dim_10 = tensor.dim %arg2, %c0 : tensor<?x2x?x4xf32> loc(#loc49)
    %dim_11 = tensor.dim %arg2, %c2 : tensor<?x2x?x4xf32> loc(#loc49)
    %expanded_12 = tensor.expand_shape %arg2 [[0], [1], [2, 3], [4]] output_shape [%dim_10, 2, 1, %dim_11, 4] : tensor<?x2x?x4xf32> into tensor<?x2x1x?x4xf32> loc(#loc49)
    %14 = arith.index_cast %dim_10 : index to i64 loc(#loc50)
    %15 = arith.cmpi sge, %14, %10 : i64 loc(#loc50)
    cf.assert %15, "onnx.Expand input has a dim that is not statically 1; expected this dim >= dim provided shape." loc(#loc50)
    %16 = arith.index_cast %dim_11 : index to i64 loc(#loc50)
    %17 = arith.cmpi sge, %16, %11 : i64 loc(#loc50)
    cf.assert %17, "onnx.Expand input has a dim that is not statically 1; expected this dim >= dim provided shape." loc(#loc50)
    %18 = arith.cmpi sgt, %10, %c0_i64 : i64 loc(#loc51)
    cf.assert %18, "Expected dim size > 0." loc(#loc51)
    %19 = arith.cmpi sgt, %11, %c0_i64 : i64 loc(#loc51)
    cf.assert %19, "Expected dim size > 0." loc(#loc51)
    %from_elements = tensor.from_elements %10, %c2_i64, %11, %c4_i64 : tensor<4xi64> loc(#loc51)
    %reshape = tensor.reshape %expanded(%from_elements) : (tensor<?x2x1x?x4xf32>, tensor<4xi64>) -> tensor<?x2x?x4xf32> loc(#loc51)
    cf.assert %18, "Expected dim size > 0." loc(#loc52)
    cf.assert %19, "Expected dim size > 0." loc(#loc52)
    %reshape_13 = tensor.reshape %expanded_12(%from_elements) : (tensor<?x2x1x?x4xf32>, tensor<4xi64>) -> tensor<?x2x?x4xf32> loc(#loc52)
    %20 = tensor.empty(%dim, %dim_9) : tensor<?x2x4x?xf32> loc(#loc53)
    %transposed = linalg.transpose ins(%reshape : tensor<?x2x?x4xf32>) outs(%20 : tensor<?x2x4x?xf32>) permutation = [0, 1, 3, 2]  loc(#loc53)
    %21 = linalg.generic {indexing_maps = [#map, #map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %cst_3 : tensor<?x2x?x4xf32>, tensor<1xf32>) outs(%0 : tensor<?x2x?x4xf32>) {
    ^bb0(%in: f32 loc("norm/Mul.2"(#loc15)), %in_21: f32 loc("attention/Mul"(#loc8)), %out: f32 loc("attention/Mul"(#loc8))):
      %60 = arith.mulf %in, %in_21 : f32 loc(#loc38)
      linalg.yield %60 : f32 loc(#loc38)
    } -> tensor<?x2x?x4xf32> loc(#loc38)
    %22 = linalg.generic {indexing_maps = [#map, #map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed, %cst_3 : tensor<?x2x4x?xf32>, tensor<1xf32>) outs(%20 : tensor<?x2x4x?xf32>) {
    ^bb0(%in: f32 loc("attention/Transpose"(#loc23)), %in_21: f32 loc("attention/Mul"(#loc8)), %out: f32 loc("attention/Mul.2"(#loc24))):
      %60 = arith.mulf %in, %in_21 : f32 loc(#loc54)
      linalg.yield %60 : f32 loc(#loc54)
    } -> tensor<?x2x4x?xf32> loc(#loc54)
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2], [3]] : tensor<?x2x?x4xf32> into tensor<?x?x4xf32> loc(#loc55)
    %collapsed_14 = tensor.collapse_shape %22 [[0, 1], [2], [3]] : tensor<?x2x4x?xf32> into tensor<?x4x?xf32> loc(#loc55)
    %23 = arith.muli %dim, %c2 : index loc(#loc55)
    %24 = tensor.empty(%23, %dim_9, %dim_9) : tensor<?x?x?xf32> loc(#loc55)
    %25 = linalg.fill ins(%cst_8 : f32) outs(%24 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc55)
    %26 = linalg.batch_matmul ins(%collapsed, %collapsed_14 : tensor<?x?x4xf32>, tensor<?x4x?xf32>) outs(%25 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc55)
    %27 = arith.divsi %23, %c2 : index loc(#loc55)
    %expanded_15 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [%27, 2, %dim_9, %dim_9] : tensor<?x?x?xf32> into tensor<?x2x?x?xf32> loc(#loc55)
    %28 = tensor.empty(%27, %dim_9, %dim_9) : tensor<?x2x?x?xf32> loc(#loc56)
    %29 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %13 : tensor<?x2x?x?xf32>, tensor<?x?xf32>) outs(%28 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention/MatMul"(#loc25)), %in_21: f32 loc("attention/ConstantOfShape"(#loc10)), %out: f32 loc("attention/Add"(#loc26))):
      %60 = arith.addf %in, %in_21 : f32 loc(#loc56)
      linalg.yield %60 : f32 loc(#loc56)
    } -> tensor<?x2x?x?xf32> loc(#loc56)
    %30 = tensor.empty(%27, %dim_9) : tensor<?x2x?xi64> loc(#loc57)
    %31 = linalg.fill ins(%c0_i64 : i64) outs(%30 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64> loc(#loc57)
    %32 = tensor.empty(%27, %dim_9) : tensor<?x2x?xf32> loc(#loc57)
    %33 = linalg.fill ins(%cst_7 : f32) outs(%32 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32> loc(#loc57)
    %34:2 = linalg.generic {indexing_maps = [#map, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<?x2x?x?xf32>) outs(%33, %31 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32 loc("attention/Add"(#loc26)), %out: f32 loc("attention/Softmax"(#loc27)), %out_21: i64 loc("attention/Softmax"(#loc27))):
      %60 = linalg.index 3 : index loc(#loc57)
      %61 = arith.index_cast %60 : index to i64 loc(#loc57)
      %62 = arith.maximumf %in, %out : f32 loc(#loc57)
      %63 = arith.cmpf ogt, %in, %out : f32 loc(#loc57)
      %64 = arith.select %63, %61, %out_21 : i64 loc(#loc57)
      linalg.yield %62, %64 : f32, i64 loc(#loc57)
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>) loc(#loc57)
    %expanded_16 = tensor.expand_shape %34#0 [[0], [1], [2, 3]] output_shape [%27, 2, %dim_9, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32> loc(#loc57)
    %35 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %expanded_16 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%28 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention/Add"(#loc26)), %in_21: f32 loc("attention/Softmax"(#loc27)), %out: f32 loc("attention/Softmax"(#loc27))):
      %60 = arith.subf %in, %in_21 : f32 loc(#loc57)
      linalg.yield %60 : f32 loc(#loc57)
    } -> tensor<?x2x?x?xf32> loc(#loc57)
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<?x2x?x?xf32>) outs(%28 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention/Softmax"(#loc27)), %out: f32 loc("attention/Softmax"(#loc27))):
      %60 = math.exp %in : f32 loc(#loc57)
      linalg.yield %60 : f32 loc(#loc57)
    } -> tensor<?x2x?x?xf32> loc(#loc57)
    %37 = tensor.empty(%27, %dim_9) : tensor<?x2x?x1xf32> loc(#loc57)
    %38 = linalg.fill ins(%cst_8 : f32) outs(%37 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32> loc(#loc57)
    %39 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<?x2x?x?xf32>) outs(%38 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32 loc("attention/Softmax"(#loc27)), %out: f32 loc("attention/Softmax"(#loc27))):
      %60 = arith.addf %in, %out : f32 loc(#loc57)
      linalg.yield %60 : f32 loc(#loc57)
    } -> tensor<?x2x?x1xf32> loc(#loc57)
    %40 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %39 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%28 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention/Softmax"(#loc27)), %in_21: f32 loc("attention/Softmax"(#loc27)), %out: f32 loc("attention/Softmax"(#loc27))):
      %60 = arith.divf %in, %in_21 : f32 loc(#loc57)
      linalg.yield %60 : f32 loc(#loc57)
    } -> tensor<?x2x?x?xf32> loc(#loc57)
    %41 = tensor.empty(%dim_9) : tensor<?xi64> loc(#loc58)
    %42 = linalg.fill ins(%c0_i64 : i64) outs(%41 : tensor<?xi64>) -> tensor<?xi64> loc(#loc58)
    %43 = tensor.empty(%dim_9) : tensor<?xf32> loc(#loc58)
    %44 = linalg.fill ins(%cst_7 : f32) outs(%43 : tensor<?xf32>) -> tensor<?xf32> loc(#loc58)
    %45:2 = linalg.generic {indexing_maps = [#map5, #map9, #map9], iterator_types = ["parallel", "reduction"]} ins(%13 : tensor<?x?xf32>) outs(%44, %42 : tensor<?xf32>, tensor<?xi64>) {
    ^bb0(%in: f32 loc("attention/ConstantOfShape"(#loc10)), %out: f32 loc("attention/ReduceMax"(#loc28)), %out_21: i64 loc("attention/ReduceMax"(#loc28))):
      %60 = linalg.index 1 : index loc(#loc58)
      %61 = arith.index_cast %60 : index to i64 loc(#loc58)
      %62 = arith.maximumf %in, %out : f32 loc(#loc58)
      %63 = arith.cmpf ogt, %in, %out : f32 loc(#loc58)
      %64 = arith.select %63, %61, %out_21 : i64 loc(#loc58)
      linalg.yield %62, %64 : f32, i64 loc(#loc58)
    } -> (tensor<?xf32>, tensor<?xi64>) loc(#loc58)
    %expanded_17 = tensor.expand_shape %45#0 [[0, 1]] output_shape [%dim_9, 1] : tensor<?xf32> into tensor<?x1xf32> loc(#loc58)
    %46 = tensor.empty(%dim_9) : tensor<?x1xi1> loc(#loc37)
    %47 = linalg.generic {indexing_maps = [#map5, #map10, #map5], iterator_types = ["parallel", "parallel"]} ins(%expanded_17, %cst_2 : tensor<?x1xf32>, tensor<1xf32>) outs(%46 : tensor<?x1xi1>) {
    ^bb0(%in: f32 loc("attention/ReduceMax"(#loc28)), %in_21: f32 loc("attention/Equal"(#loc7)), %out: i1 loc("attention/Equal"(#loc7))):
      %60 = arith.cmpf oeq, %in, %in_21 : f32 loc(#loc37)
      linalg.yield %60 : i1 loc(#loc37)
    } -> tensor<?x1xi1> loc(#loc37)
    %48 = tensor.empty(%27, %dim_9, %dim_9) : tensor<?x2x?x?xf32> loc(#loc36)
    %49 = linalg.generic {indexing_maps = [#map11, #map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %cst_1, %40 : tensor<?x1xi1>, tensor<1xf32>, tensor<?x2x?x?xf32>) outs(%48 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: i1 loc("attention/Equal"(#loc7)), %in_21: f32 loc("attention/Where"(#loc6)), %in_22: f32 loc("attention/Softmax"(#loc27)), %out: f32 loc("attention/Where"(#loc6))):
      %60 = arith.select %in, %in_21, %in_22 : f32 loc(#loc36)
      linalg.yield %60 : f32 loc(#loc36)
    } -> tensor<?x2x?x?xf32> loc(#loc36)
    %50 = arith.maxui %27, %dim : index loc(#loc59)
    %collapsed_18 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<?x2x?x?xf32> into tensor<?x?x?xf32> loc(#loc59)
    %collapsed_19 = tensor.collapse_shape %reshape_13 [[0, 1], [2], [3]] : tensor<?x2x?x4xf32> into tensor<?x?x4xf32> loc(#loc59)
    %51 = arith.muli %50, %c2 : index loc(#loc59)
    %52 = tensor.empty(%51, %dim_9) : tensor<?x?x4xf32> loc(#loc59)
    %53 = linalg.fill ins(%cst_8 : f32) outs(%52 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc59)
    %54 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<?x?x?xf32>, tensor<?x?x4xf32>) outs(%53 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc59)
    %55 = arith.divsi %51, %c2 : index loc(#loc59)
    %expanded_20 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [%55, 2, %dim_9, 4] : tensor<?x?x4xf32> into tensor<?x2x?x4xf32> loc(#loc59)
    %56 = tensor.empty(%55, %dim_9) : tensor<?x2x?x4xf32> loc(#loc35)
    %57 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0, %expanded_20 : tensor<f32>, tensor<?x2x?x4xf32>) outs(%56 : tensor<?x2x?x4xf32>) {
    ^bb0(%in: f32 loc("swish/Mul"(#loc5)), %in_21: f32 loc("attention/MatMul.2"(#loc29)), %out: f32 loc("swish/Mul"(#loc5))):
      %60 = arith.mulf %in, %in_21 : f32 loc(#loc35)
      linalg.yield %60 : f32 loc(#loc35)
    } -> tensor<?x2x?x4xf32> loc(#loc35)
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<?x2x?x4xf32>) outs(%56 : tensor<?x2x?x4xf32>) {
    ^bb0(%in: f32 loc("swish/Mul"(#loc5)), %out: f32 loc("swish/Sigmoid"(#loc30))):
      %60 = arith.negf %in : f32 loc(#loc60)
      %61 = math.exp %60 : f32 loc(#loc60)
      %62 = arith.addf %61, %cst_6 : f32 loc(#loc60)
      %63 = arith.divf %cst_6, %62 : f32 loc(#loc60)
      linalg.yield %63 : f32 loc(#loc60)
    } -> tensor<?x2x?x4xf32> loc(#loc60)
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20, %58 : tensor<?x2x?x4xf32>, tensor<?x2x?x4xf32>) outs(%56 : tensor<?x2x?x4xf32>) {
    ^bb0(%in: f32 loc("attention/MatMul.2"(#loc29)), %in_21: f32 loc("swish/Sigmoid"(#loc30)), %out: f32 loc("swish/Mul.2"(#loc31))):
      %60 = arith.mulf %in, %in_21 : f32 loc(#loc61)
      linalg.yield %60 : f32 loc(#loc61)
    } -> tensor<?x2x?x4xf32> loc(#loc61)
    return %59 : tensor<?x2x?x4xf32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("graph:defined")
#loc16 = loc("tests/networks/defined.onnx":13:1)
#loc17 = loc("tests/networks/defined.onnx":14:1)
#loc18 = loc("tests/networks/defined.onnx":27:1)
#loc19 = loc("tests/networks/defined.onnx":28:1)
#loc20 = loc("tests/networks/defined.onnx":32:1)
#loc21 = loc("tests/networks/defined.onnx":35:1)
#loc22 = loc("tests/networks/defined.onnx":36:1)
#loc46 = loc("attention/Shape"(#loc16))
#loc47 = loc("attention/Shape.2"(#loc17))
#loc48 = loc("attention/Unsqueeze"(#loc18))
#loc49 = loc("attention/Unsqueeze.2"(#loc19))
#loc50 = loc("attention/Expand.2"(#loc20))
#loc51 = loc("attention/Reshape"(#loc21))
#loc52 = loc("attention/Reshape.2"(#loc22))

