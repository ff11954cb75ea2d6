#loc2 = loc("decoder.onnx":1:1)
#loc3 = loc("decoder.onnx":2:1)
#loc4 = loc("decoder.onnx":3:1)
#loc5 = loc("decoder.onnx":4:1)
#loc6 = loc("decoder.onnx":5:1)
#loc7 = loc("decoder.onnx":6:1)
#loc8 = loc("decoder.onnx":7:1)
#loc9 = loc("decoder.onnx":42:1)
#loc11 = loc("decoder.onnx":41:1)
#loc12 = loc("decoder.onnx":8:1)
#loc14 = loc("decoder.onnx":12:1)
#loc15 = loc("decoder.onnx":15:1)
#loc16 = loc("decoder.onnx":16:1)
#loc25 = loc("decoder.onnx":37:1)
#loc26 = loc("decoder.onnx":40:1)
#loc30 = loc("decoder.onnx":49:1)
#loc31 = loc("decoder.onnx":50:1)
#loc32 = loc("decoder.onnx":51:1)
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#loc33 = loc("x"(#loc2))
#loc34 = loc("norm.scale"(#loc3))
#loc35 = loc("norm.shift"(#loc4))
#loc36 = loc("attend.weight"(#loc5))
#loc37 = loc("attend.bias"(#loc6))
#loc38 = loc("project.weight"(#loc7))
#loc39 = loc("project.bias"(#loc8))
#loc40 = loc("attention"(#loc9))
#loc42 = loc("masked"(#loc11))
#loc43 = loc("batch.shape"(#loc12))
#loc45 = loc("norm"(#loc14))
#loc46 = loc("attend"(#loc15))
#loc47 = loc("attend/bias"(#loc16))
#loc56 = loc("scores"(#loc25))
#loc57 = loc("cut3"(#loc26))
#loc61 = loc("project"(#loc30))
#loc62 = loc("project.add"(#loc31))
#loc63 = loc("residual"(#loc32))
module {
  func.func @decoder(%arg0: tensor<?x?x6xf32> {symloc.dims = ["batch", "sequence", ""]} loc("x"(#loc2)), %arg1: tensor<6xf32> {symloc.dims = [""]} loc("norm.scale"(#loc3)), %arg2: tensor<6xf32> {symloc.dims = [""]} loc("norm.shift"(#loc4)), %arg3: tensor<6x18xf32> {symloc.dims = ["", ""]} loc("attend.weight"(#loc5)), %arg4: tensor<18xf32> {symloc.dims = [""]} loc("attend.bias"(#loc6)), %arg5: tensor<6x6xf32> {symloc.dims = ["", ""]} loc("project.weight"(#loc7)), %arg6: tensor<6xf32> {symloc.dims = [""]} loc("project.bias"(#loc8))) -> tensor<?x?x6xf32> {
    %c18_i64 = arith.constant 18 : i64 loc(#loc)
    %c6_i64 = arith.constant 6 : i64 loc(#loc)
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %c3_i64 = arith.constant 3 : i64 loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %c1 = arith.constant 1 : index loc(#loc)
    %c0 = arith.constant 0 : index loc(#loc)
    %c2 = arith.constant 2 : index loc(#loc)
    %c-1 = arith.constant -1 : index loc(#loc)
    %c2_i64 = arith.constant 2 : i64 loc(#loc)
    %c32 = arith.constant 32 : index loc(#loc)
    %cst_0 = arith.constant 0xFF800000 : f32 loc(#loc40)
    %cst_1 = arith.constant dense_resource<__elided__> : tensor<1x1x32x32xi1> loc(#loc41)
    %cst_2 = arith.constant dense<-1.000000e+09> : tensor<f32> loc(#loc42)
    %cst_3 = arith.constant 6.000000e+00 : f32 loc(#loc)
    %cst_4 = arith.constant 9.99999974E-6 : f32 loc(#loc)
    %dim = tensor.dim %arg0, %c0 : tensor<?x?x6xf32> loc(#loc43)
    %0 = arith.index_cast %dim : index to i64 loc(#loc43)
    %dim_5 = tensor.dim %arg0, %c1 : tensor<?x?x6xf32> loc(#loc44)
    %1 = arith.index_cast %dim_5 : index to i64 loc(#loc44)
    %2 = tensor.empty(%dim, %dim_5) : tensor<?x?x1xf32> loc(#loc45)
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32> loc(#loc45)
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<?x?x6xf32>) outs(%3 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("batch.shape"(#loc12)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.addf %in, %out : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x1xf32> loc(#loc45)
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<?x?x1xf32>) outs(%2 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.divf %in, %cst_3 : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x1xf32> loc(#loc45)
    %6 = tensor.empty(%dim, %dim_5) : tensor<?x?x6xf32> loc(#loc45)
    %collapsed = tensor.collapse_shape %5 [[0], [1, 2]] : tensor<?x?x1xf32> into tensor<?x?xf32> loc(#loc45)
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<?x?xf32>) outs(%6 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      linalg.yield %in : f32 loc(#loc45)
    } -> tensor<?x?x6xf32> loc(#loc45)
    %8 = tensor.empty(%dim, %dim_5) : tensor<?x?x6xf32> loc(#loc45)
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%8 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("batch.shape"(#loc12)), %in_26: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.subf %in, %in_26 : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x6xf32> loc(#loc45)
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%8 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %in_26: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.mulf %in, %in_26 : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x6xf32> loc(#loc45)
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<?x?x6xf32>) outs(%3 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.addf %in, %out : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x1xf32> loc(#loc45)
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<?x?x1xf32>) outs(%2 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.divf %in, %cst_3 : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x1xf32> loc(#loc45)
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<?x?x1xf32>) outs(%2 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.addf %in, %cst_4 : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x1xf32> loc(#loc45)
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<?x?x1xf32>) outs(%2 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = math.rsqrt %in : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x1xf32> loc(#loc45)
    %collapsed_6 = tensor.collapse_shape %14 [[0], [1, 2]] : tensor<?x?x1xf32> into tensor<?x?xf32> loc(#loc45)
    %15 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_6 : tensor<?x?xf32>) outs(%6 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      linalg.yield %in : f32 loc(#loc45)
    } -> tensor<?x?x6xf32> loc(#loc45)
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %15 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%8 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %in_26: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.mulf %in, %in_26 : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x6xf32> loc(#loc45)
    %17 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %arg1 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%8 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %in_26: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.mulf %in, %in_26 : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x6xf32> loc(#loc45)
    %18 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %arg2 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%8 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("norm"(#loc14)), %in_26: f32 loc("norm"(#loc14)), %out: f32 loc("norm"(#loc14))):
      %69 = arith.addf %in, %in_26 : f32 loc(#loc45)
      linalg.yield %69 : f32 loc(#loc45)
    } -> tensor<?x?x6xf32> loc(#loc45)
    %19 = tensor.empty(%dim) : tensor<?x6x18xf32> loc(#loc46)
    %20 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<6x18xf32>) outs(%19 : tensor<?x6x18xf32>) {
    ^bb0(%in: f32 loc("attend"(#loc15)), %out: f32 loc("attend"(#loc15))):
      linalg.yield %in : f32 loc(#loc46)
    } -> tensor<?x6x18xf32> loc(#loc46)
    %21 = tensor.empty(%dim, %dim_5) : tensor<?x?x18xf32> loc(#loc46)
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<?x?x18xf32>) -> tensor<?x?x18xf32> loc(#loc46)
    %23 = linalg.batch_matmul ins(%18, %20 : tensor<?x?x6xf32>, tensor<?x6x18xf32>) outs(%22 : tensor<?x?x18xf32>) -> tensor<?x?x18xf32> loc(#loc46)
    %24 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %arg4 : tensor<?x?x18xf32>, tensor<18xf32>) outs(%21 : tensor<?x?x18xf32>) {
    ^bb0(%in: f32 loc("attend"(#loc15)), %in_26: f32 loc("attend/bias"(#loc16)), %out: f32 loc("attend/bias"(#loc16))):
      %69 = arith.addf %in, %in_26 : f32 loc(#loc47)
      linalg.yield %69 : f32 loc(#loc47)
    } -> tensor<?x?x18xf32> loc(#loc47)
    %25 = arith.cmpi sgt, %0, %c0_i64 : i64 loc(#loc48)
    cf.assert %25, "Expected dim size > 0." loc(#loc48)
    %26 = arith.cmpi sgt, %1, %c0_i64 : i64 loc(#loc48)
    cf.assert %26, "Expected dim size > 0." loc(#loc48)
    %from_elements = tensor.from_elements %0, %1, %c18_i64 : tensor<3xi64> loc(#loc48)
    %reshape = tensor.reshape %24(%from_elements) : (tensor<?x?x18xf32>, tensor<3xi64>) -> tensor<?x?x18xf32> loc(#loc48)
    %extracted_slice = tensor.extract_slice %reshape[0, 0, 0] [%dim, %dim_5, 6] [1, 1, 1] : tensor<?x?x18xf32> to tensor<?x?x6xf32> loc(#loc49)
    %extracted_slice_7 = tensor.extract_slice %reshape[0, 0, 6] [%dim, %dim_5, 6] [1, 1, 1] : tensor<?x?x18xf32> to tensor<?x?x6xf32> loc(#loc49)
    %extracted_slice_8 = tensor.extract_slice %reshape[0, 0, 12] [%dim, %dim_5, 6] [1, 1, 1] : tensor<?x?x18xf32> to tensor<?x?x6xf32> loc(#loc49)
    cf.assert %25, "Expected dim size > 0." loc(#loc50)
    cf.assert %26, "Expected dim size > 0." loc(#loc50)
    %from_elements_9 = tensor.from_elements %0, %1, %c2_i64, %c3_i64 : tensor<4xi64> loc(#loc50)
    %reshape_10 = tensor.reshape %extracted_slice(%from_elements_9) : (tensor<?x?x6xf32>, tensor<4xi64>) -> tensor<?x?x2x3xf32> loc(#loc50)
    %27 = tensor.empty(%dim, %dim_5) : tensor<?x2x?x3xf32> loc(#loc51)
    %transposed = linalg.transpose ins(%reshape_10 : tensor<?x?x2x3xf32>) outs(%27 : tensor<?x2x?x3xf32>) permutation = [0, 2, 1, 3]  loc(#loc51)
    cf.assert %25, "Expected dim size > 0." loc(#loc52)
    cf.assert %26, "Expected dim size > 0." loc(#loc52)
    %reshape_11 = tensor.reshape %extracted_slice_7(%from_elements_9) : (tensor<?x?x6xf32>, tensor<4xi64>) -> tensor<?x?x2x3xf32> loc(#loc52)
    %28 = tensor.empty(%dim, %dim_5) : tensor<?x2x3x?xf32> loc(#loc53)
    %transposed_12 = linalg.transpose ins(%reshape_11 : tensor<?x?x2x3xf32>) outs(%28 : tensor<?x2x3x?xf32>) permutation = [0, 2, 3, 1]  loc(#loc53)
    cf.assert %25, "Expected dim size > 0." loc(#loc54)
    cf.assert %26, "Expected dim size > 0." loc(#loc54)
    %reshape_13 = tensor.reshape %extracted_slice_8(%from_elements_9) : (tensor<?x?x6xf32>, tensor<4xi64>) -> tensor<?x?x2x3xf32> loc(#loc54)
    %transposed_14 = linalg.transpose ins(%reshape_13 : tensor<?x?x2x3xf32>) outs(%27 : tensor<?x2x?x3xf32>) permutation = [0, 2, 1, 3]  loc(#loc55)
    %collapsed_15 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<?x2x?x3xf32> into tensor<?x?x3xf32> loc(#loc56)
    %collapsed_16 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<?x2x3x?xf32> into tensor<?x3x?xf32> loc(#loc56)
    %29 = arith.muli %dim, %c2 : index loc(#loc56)
    %30 = tensor.empty(%29, %dim_5, %dim_5) : tensor<?x?x?xf32> loc(#loc56)
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc56)
    %32 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<?x?x3xf32>, tensor<?x3x?xf32>) outs(%31 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc56)
    %33 = arith.divsi %29, %c2 : index loc(#loc56)
    %expanded = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [%33, 2, %dim_5, %dim_5] : tensor<?x?x?xf32> into tensor<?x2x?x?xf32> loc(#loc56)
    %34 = arith.cmpi slt, %dim_5, %c0 : index loc(#loc41)
    %35 = arith.addi %dim_5, %c32 : index loc(#loc41)
    %36 = arith.select %34, %35, %dim_5 : index loc(#loc41)
    %37 = arith.cmpi slt, %36, %c0 : index loc(#loc41)
    %38 = arith.select %37, %c-1, %36 : index loc(#loc41)
    %39 = arith.minsi %38, %c32 : index loc(#loc41)
    %40 = arith.maxsi %39, %c0 : index loc(#loc41)
    %extracted_slice_17 = tensor.extract_slice %cst_1[0, 0, 0, 0] [1, 1, %40, 32] [1, 1, 1, 1] : tensor<1x1x32x32xi1> to tensor<1x1x?x32xi1> loc(#loc41)
    %extracted_slice_18 = tensor.extract_slice %extracted_slice_17[0, 0, 0, 0] [1, 1, %40, %40] [1, 1, 1, 1] : tensor<1x1x?x32xi1> to tensor<1x1x?x?xi1> loc(#loc57)
    %41 = tensor.empty(%33, %40, %40) : tensor<?x2x?x?xf32> loc(#loc42)
    %42 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_18, %expanded, %cst_2 : tensor<1x1x?x?xi1>, tensor<?x2x?x?xf32>, tensor<f32>) outs(%41 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: i1 loc("cut3"(#loc26)), %in_26: f32 loc("scores"(#loc25)), %in_27: f32 loc("masked"(#loc11)), %out: f32 loc("masked"(#loc11))):
      %69 = arith.select %in, %in_26, %in_27 : f32 loc(#loc42)
      linalg.yield %69 : f32 loc(#loc42)
    } -> tensor<?x2x?x?xf32> loc(#loc42)
    %43 = tensor.empty(%33, %40) : tensor<?x2x?xi64> loc(#loc40)
    %44 = linalg.fill ins(%c0_i64 : i64) outs(%43 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64> loc(#loc40)
    %45 = tensor.empty(%33, %40) : tensor<?x2x?xf32> loc(#loc40)
    %46 = linalg.fill ins(%cst_0 : f32) outs(%45 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32> loc(#loc40)
    %47:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<?x2x?x?xf32>) outs(%46, %44 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32 loc("masked"(#loc11)), %out: f32 loc("attention"(#loc9)), %out_26: i64 loc("attention"(#loc9))):
      %69 = linalg.index 3 : index loc(#loc40)
      %70 = arith.index_cast %69 : index to i64 loc(#loc40)
      %71 = arith.maximumf %in, %out : f32 loc(#loc40)
      %72 = arith.cmpf ogt, %in, %out : f32 loc(#loc40)
      %73 = arith.select %72, %70, %out_26 : i64 loc(#loc40)
      linalg.yield %71, %73 : f32, i64 loc(#loc40)
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>) loc(#loc40)
    %expanded_19 = tensor.expand_shape %47#0 [[0], [1], [2, 3]] output_shape [%33, 2, %40, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32> loc(#loc40)
    %48 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %expanded_19 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%41 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("masked"(#loc11)), %in_26: f32 loc("attention"(#loc9)), %out: f32 loc("attention"(#loc9))):
      %69 = arith.subf %in, %in_26 : f32 loc(#loc40)
      linalg.yield %69 : f32 loc(#loc40)
    } -> tensor<?x2x?x?xf32> loc(#loc40)
    %49 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<?x2x?x?xf32>) outs(%41 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention"(#loc9)), %out: f32 loc("attention"(#loc9))):
      %69 = math.exp %in : f32 loc(#loc40)
      linalg.yield %69 : f32 loc(#loc40)
    } -> tensor<?x2x?x?xf32> loc(#loc40)
    %50 = tensor.empty(%33, %40) : tensor<?x2x?x1xf32> loc(#loc40)
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32> loc(#loc40)
    %52 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<?x2x?x?xf32>) outs(%51 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32 loc("attention"(#loc9)), %out: f32 loc("attention"(#loc9))):
      %69 = arith.addf %in, %out : f32 loc(#loc40)
      linalg.yield %69 : f32 loc(#loc40)
    } -> tensor<?x2x?x1xf32> loc(#loc40)
    %53 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %52 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%41 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention"(#loc9)), %in_26: f32 loc("attention"(#loc9)), %out: f32 loc("attention"(#loc9))):
      %69 = arith.divf %in, %in_26 : f32 loc(#loc40)
      linalg.yield %69 : f32 loc(#loc40)
    } -> tensor<?x2x?x?xf32> loc(#loc40)
    %54 = arith.maxui %33, %dim : index loc(#loc58)
    %55 = arith.index_cast %40 : index to i64 loc(#loc58)
    %56 = arith.cmpi eq, %55, %1 : i64 loc(#loc58)
    cf.assert %56, "mismatching contracting dimension" loc(#loc58)
    %collapsed_20 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<?x2x?x?xf32> into tensor<?x?x?xf32> loc(#loc58)
    %collapsed_21 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<?x2x?x3xf32> into tensor<?x?x3xf32> loc(#loc58)
    %57 = arith.muli %54, %c2 : index loc(#loc58)
    %58 = tensor.empty(%57, %40) : tensor<?x?x3xf32> loc(#loc58)
    %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<?x?x3xf32>) -> tensor<?x?x3xf32> loc(#loc58)
    %60 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<?x?x?xf32>, tensor<?x?x3xf32>) outs(%59 : tensor<?x?x3xf32>) -> tensor<?x?x3xf32> loc(#loc58)
    %61 = arith.divsi %57, %c2 : index loc(#loc58)
    %expanded_22 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [%61, 2, %40, 3] : tensor<?x?x3xf32> into tensor<?x2x?x3xf32> loc(#loc58)
    %62 = tensor.empty(%61, %40) : tensor<?x?x2x3xf32> loc(#loc59)
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<?x2x?x3xf32>) outs(%62 : tensor<?x?x2x3xf32>) permutation = [0, 2, 1, 3]  loc(#loc59)
    cf.assert %25, "Expected dim size > 0." loc(#loc60)
    cf.assert %26, "Expected dim size > 0." loc(#loc60)
    %from_elements_24 = tensor.from_elements %0, %1, %c6_i64 : tensor<3xi64> loc(#loc60)
    %reshape_25 = tensor.reshape %transposed_23(%from_elements_24) : (tensor<?x?x2x3xf32>, tensor<3xi64>) -> tensor<?x?x6xf32> loc(#loc60)
    %63 = tensor.empty(%dim) : tensor<?x6x6xf32> loc(#loc61)
    %64 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<6x6xf32>) outs(%63 : tensor<?x6x6xf32>) {
    ^bb0(%in: f32 loc("project"(#loc30)), %out: f32 loc("project"(#loc30))):
      linalg.yield %in : f32 loc(#loc61)
    } -> tensor<?x6x6xf32> loc(#loc61)
    %65 = linalg.fill ins(%cst : f32) outs(%6 : tensor<?x?x6xf32>) -> tensor<?x?x6xf32> loc(#loc61)
    %66 = linalg.batch_matmul ins(%reshape_25, %64 : tensor<?x?x6xf32>, tensor<?x6x6xf32>) outs(%65 : tensor<?x?x6xf32>) -> tensor<?x?x6xf32> loc(#loc61)
    %67 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %arg6 : tensor<?x?x6xf32>, tensor<6xf32>) outs(%6 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("project"(#loc30)), %in_26: f32 loc("project.add"(#loc31)), %out: f32 loc("project.add"(#loc31))):
      %69 = arith.addf %in, %in_26 : f32 loc(#loc62)
      linalg.yield %69 : f32 loc(#loc62)
    } -> tensor<?x?x6xf32> loc(#loc62)
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %67 : tensor<?x?x6xf32>, tensor<?x?x6xf32>) outs(%8 : tensor<?x?x6xf32>) {
    ^bb0(%in: f32 loc("batch.shape"(#loc12)), %in_26: f32 loc("project.add"(#loc31)), %out: f32 loc("residual"(#loc32))):
      %69 = arith.addf %in, %in_26 : f32 loc(#loc63)
      linalg.yield %69 : f32 loc(#loc63)
    } -> tensor<?x?x6xf32> loc(#loc63)
    return %68 : tensor<?x?x6xf32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("graph:decoder")
#loc10 = loc("decoder.onnx":39:1)
#loc13 = loc("decoder.onnx":10:1)
#loc17 = loc("decoder.onnx":20:1)
#loc18 = loc("decoder.onnx":21:1)
#loc19 = loc("decoder.onnx":25:1)
#loc20 = loc("decoder.onnx":26:1)
#loc21 = loc("decoder.onnx":30:1)
#loc22 = loc("decoder.onnx":31:1)
#loc23 = loc("decoder.onnx":35:1)
#loc24 = loc("decoder.onnx":36:1)
#loc27 = loc("decoder.onnx":43:1)
#loc28 = loc("decoder.onnx":44:1)
#loc29 = loc("decoder.onnx":48:1)
#loc41 = loc("cut2"(#loc10))
#loc44 = loc("sequence.shape"(#loc13))
#loc48 = loc("whole"(#loc17))
#loc49 = loc("split"(#loc18))
#loc50 = loc("query.heads"(#loc19))
#loc51 = loc("query.transpose"(#loc20))
#loc52 = loc("key.heads"(#loc21))
#loc53 = loc("key.transpose"(#loc22))
#loc54 = loc("value.heads"(#loc23))
#loc55 = loc("value.transpose"(#loc24))
#loc58 = loc("mix"(#loc27))
#loc59 = loc("mixed"(#loc28))
#loc60 = loc("joined"(#loc29))

