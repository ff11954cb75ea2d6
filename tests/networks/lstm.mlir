#loc2 = loc("lstm.onnx":1:1)
#loc3 = loc("lstm.onnx":2:1)
#loc4 = loc("lstm.onnx":3:1)
#loc5 = loc("lstm.onnx":4:1)
#loc6 = loc("lstm.onnx":5:1)
#loc7 = loc("lstm.onnx":6:1)
#loc9 = loc("lstm.onnx":8:1)
#loc10 = loc("lstm.onnx":9:1)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#loc11 = loc("x"(#loc2))
#loc12 = loc("weight"(#loc3))
#loc13 = loc("recurrence"(#loc4))
#loc14 = loc("fc.weight"(#loc5))
#loc15 = loc("fc.bias"(#loc6))
#loc16 = loc("recurrent"(#loc7))
#loc18 = loc("fc"(#loc9))
#loc19 = loc("fc.add"(#loc10))
module {
  func.func @lstm(%arg0: tensor<?x?x3xf32> {symloc.dims = ["sequence", "batch", ""]} loc("x"(#loc2)), %arg1: tensor<1x20x3xf32> {symloc.dims = ["", "", ""]} loc("weight"(#loc3)), %arg2: tensor<1x20x5xf32> {symloc.dims = ["", "", ""]} loc("recurrence"(#loc4)), %arg3: tensor<5x4xf32> {symloc.dims = ["", ""]} loc("fc.weight"(#loc5)), %arg4: tensor<4xf32> {symloc.dims = [""]} loc("fc.bias"(#loc6))) -> tensor<?x?x4xf32> {
    %c0_i64 = arith.constant 0 : i64 loc(#loc)
    %c1 = arith.constant 1 : index loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %c0 = arith.constant 0 : index loc(#loc)
    %cst_0 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<5xf32> loc(#loc16)
    %dim = tensor.dim %arg0, %c1 : tensor<?x?x3xf32> loc(#loc11)
    %collapsed = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<1x20x3xf32> into tensor<20x3xf32> loc(#loc16)
    %collapsed_2 = tensor.collapse_shape %arg2 [[0, 1], [2]] : tensor<1x20x5xf32> into tensor<20x5xf32> loc(#loc16)
    %0 = tensor.empty(%dim) : tensor<1x?x5xf32> loc(#loc16)
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x?x5xf32>) -> tensor<1x?x5xf32> loc(#loc16)
    %extracted_slice = tensor.extract_slice %1[0, 0, 0] [1, %dim, 5] [1, 1, 1] : tensor<1x?x5xf32> to tensor<1x?x5xf32> loc(#loc16)
    %collapsed_3 = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x?x5xf32> into tensor<?x5xf32> loc(#loc16)
    %extracted_slice_4 = tensor.extract_slice %collapsed[15, 0] [5, 3] [1, 1] : tensor<20x3xf32> to tensor<5x3xf32> loc(#loc16)
    %extracted_slice_5 = tensor.extract_slice %collapsed[10, 0] [5, 3] [1, 1] : tensor<20x3xf32> to tensor<5x3xf32> loc(#loc16)
    %extracted_slice_6 = tensor.extract_slice %collapsed[5, 0] [5, 3] [1, 1] : tensor<20x3xf32> to tensor<5x3xf32> loc(#loc16)
    %extracted_slice_7 = tensor.extract_slice %collapsed[0, 0] [5, 3] [1, 1] : tensor<20x3xf32> to tensor<5x3xf32> loc(#loc16)
    %extracted_slice_8 = tensor.extract_slice %collapsed_2[15, 0] [5, 5] [1, 1] : tensor<20x5xf32> to tensor<5x5xf32> loc(#loc16)
    %extracted_slice_9 = tensor.extract_slice %collapsed_2[10, 0] [5, 5] [1, 1] : tensor<20x5xf32> to tensor<5x5xf32> loc(#loc16)
    %extracted_slice_10 = tensor.extract_slice %collapsed_2[5, 0] [5, 5] [1, 1] : tensor<20x5xf32> to tensor<5x5xf32> loc(#loc16)
    %extracted_slice_11 = tensor.extract_slice %collapsed_2[0, 0] [5, 5] [1, 1] : tensor<20x5xf32> to tensor<5x5xf32> loc(#loc16)
    %dim_12 = tensor.dim %arg0, %c0 : tensor<?x?x3xf32> loc(#loc11)
    %2 = arith.index_cast %dim_12 : index to i64 loc(#loc11)
    %3 = tensor.empty(%dim_12, %dim) : tensor<?x?x5xf32> loc(#loc16)
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<?x?x5xf32>) -> tensor<?x?x5xf32> loc(#loc16)
    %5:3 = scf.for %arg5 = %c0 to %dim_12 step %c1 iter_args(%arg6 = %4, %arg7 = %collapsed_3, %arg8 = %collapsed_3) -> (tensor<?x?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>) {
      %12 = arith.index_cast %arg5 : index to i64 loc(#loc16)
      %13 = arith.cmpi slt, %12, %c0_i64 : i64 loc(#loc16)
      %14 = arith.extui %13 : i1 to i64 loc(#loc16)
      %15 = arith.muli %14, %2 : i64 loc(#loc16)
      %16 = arith.addi %12, %15 : i64 loc(#loc16)
      %17 = arith.addi %16, %2 : i64 loc(#loc16)
      %18 = arith.cmpi sge, %16, %c0_i64 : i64 loc(#loc16)
      %19 = arith.select %18, %16, %17 : i64 loc(#loc16)
      %20 = arith.maxsi %19, %c0_i64 : i64 loc(#loc16)
      %21 = arith.minsi %20, %2 : i64 loc(#loc16)
      %22 = arith.index_cast %21 : i64 to index loc(#loc16)
      %extracted_slice_16 = tensor.extract_slice %arg0[%22, 0, 0] [1, %dim, 3] [1, 1, 1] : tensor<?x?x3xf32> to tensor<1x?x3xf32> loc(#loc16)
      %collapsed_17 = tensor.collapse_shape %extracted_slice_16 [[0, 1], [2]] : tensor<1x?x3xf32> into tensor<?x3xf32> loc(#loc16)
      %23 = tensor.empty() : tensor<3x5xf32> loc(#loc16)
      %transposed = linalg.transpose ins(%extracted_slice_7 : tensor<5x3xf32>) outs(%23 : tensor<3x5xf32>) permutation = [1, 0]  loc(#loc16)
      %24 = tensor.empty(%dim) : tensor<?x5xf32> loc(#loc16)
      %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %26 = linalg.matmul ins(%collapsed_17, %transposed : tensor<?x3xf32>, tensor<3x5xf32>) outs(%25 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %27 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %cst_1 : tensor<?x5xf32>, tensor<5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %28 = tensor.empty() : tensor<5x5xf32> loc(#loc16)
      %transposed_18 = linalg.transpose ins(%extracted_slice_11 : tensor<5x5xf32>) outs(%28 : tensor<5x5xf32>) permutation = [1, 0]  loc(#loc16)
      %dim_19 = tensor.dim %arg7, %c0 : tensor<?x5xf32> loc(#loc16)
      %29 = tensor.empty(%dim_19) : tensor<?x5xf32> loc(#loc16)
      %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %31 = linalg.matmul ins(%arg7, %transposed_18 : tensor<?x5xf32>, tensor<5x5xf32>) outs(%30 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %32 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%31, %cst_1 : tensor<?x5xf32>, tensor<5xf32>) outs(%29 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %32 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.negf %in : f32 loc(#loc16)
        %66 = math.exp %65 : f32 loc(#loc16)
        %67 = arith.addf %66, %cst_0 : f32 loc(#loc16)
        %68 = arith.divf %cst_0, %67 : f32 loc(#loc16)
        linalg.yield %68 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %transposed_20 = linalg.transpose ins(%extracted_slice_6 : tensor<5x3xf32>) outs(%23 : tensor<3x5xf32>) permutation = [1, 0]  loc(#loc16)
      %35 = linalg.matmul ins(%collapsed_17, %transposed_20 : tensor<?x3xf32>, tensor<3x5xf32>) outs(%25 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %cst_1 : tensor<?x5xf32>, tensor<5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %transposed_21 = linalg.transpose ins(%extracted_slice_10 : tensor<5x5xf32>) outs(%28 : tensor<5x5xf32>) permutation = [1, 0]  loc(#loc16)
      %37 = linalg.matmul ins(%arg7, %transposed_21 : tensor<?x5xf32>, tensor<5x5xf32>) outs(%30 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %38 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%37, %cst_1 : tensor<?x5xf32>, tensor<5xf32>) outs(%29 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%36, %38 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.negf %in : f32 loc(#loc16)
        %66 = math.exp %65 : f32 loc(#loc16)
        %67 = arith.addf %66, %cst_0 : f32 loc(#loc16)
        %68 = arith.divf %cst_0, %67 : f32 loc(#loc16)
        linalg.yield %68 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %transposed_22 = linalg.transpose ins(%extracted_slice_5 : tensor<5x3xf32>) outs(%23 : tensor<3x5xf32>) permutation = [1, 0]  loc(#loc16)
      %41 = linalg.matmul ins(%collapsed_17, %transposed_22 : tensor<?x3xf32>, tensor<3x5xf32>) outs(%25 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %42 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%41, %cst_1 : tensor<?x5xf32>, tensor<5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %transposed_23 = linalg.transpose ins(%extracted_slice_9 : tensor<5x5xf32>) outs(%28 : tensor<5x5xf32>) permutation = [1, 0]  loc(#loc16)
      %43 = linalg.matmul ins(%arg7, %transposed_23 : tensor<?x5xf32>, tensor<5x5xf32>) outs(%30 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %44 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%43, %cst_1 : tensor<?x5xf32>, tensor<5xf32>) outs(%29 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %45 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%42, %44 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.negf %in : f32 loc(#loc16)
        %66 = math.exp %65 : f32 loc(#loc16)
        %67 = arith.addf %66, %cst_0 : f32 loc(#loc16)
        %68 = arith.divf %cst_0, %67 : f32 loc(#loc16)
        linalg.yield %68 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %transposed_24 = linalg.transpose ins(%extracted_slice_4 : tensor<5x3xf32>) outs(%23 : tensor<3x5xf32>) permutation = [1, 0]  loc(#loc16)
      %47 = linalg.matmul ins(%collapsed_17, %transposed_24 : tensor<?x3xf32>, tensor<3x5xf32>) outs(%25 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %48 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%47, %cst_1 : tensor<?x5xf32>, tensor<5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %transposed_25 = linalg.transpose ins(%extracted_slice_8 : tensor<5x5xf32>) outs(%28 : tensor<5x5xf32>) permutation = [1, 0]  loc(#loc16)
      %49 = linalg.matmul ins(%arg7, %transposed_25 : tensor<?x5xf32>, tensor<5x5xf32>) outs(%30 : tensor<?x5xf32>) -> tensor<?x5xf32> loc(#loc16)
      %50 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%49, %cst_1 : tensor<?x5xf32>, tensor<5xf32>) outs(%29 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%48, %50 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = math.tanh %in : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%46, %arg8 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.mulf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %52 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.mulf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%53, %54 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.addf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = math.tanh %in : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%40, %56 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%24 : tensor<?x5xf32>) {
      ^bb0(%in: f32 loc("recurrent"(#loc7)), %in_29: f32 loc("recurrent"(#loc7)), %out: f32 loc("recurrent"(#loc7))):
        %65 = arith.mulf %in, %in_29 : f32 loc(#loc16)
        linalg.yield %65 : f32 loc(#loc16)
      } -> tensor<?x5xf32> loc(#loc16)
      %expanded_26 = tensor.expand_shape %57 [[0, 1], [2]] output_shape [1, %dim, 5] : tensor<?x5xf32> into tensor<1x?x5xf32> loc(#loc16)
      %dim_27 = tensor.dim %arg6, %c0 : tensor<?x?x5xf32> loc(#loc16)
      %58 = arith.index_cast %dim_27 : index to i64 loc(#loc16)
      %59 = arith.addi %12, %58 : i64 loc(#loc16)
      %60 = arith.cmpi sge, %12, %c0_i64 : i64 loc(#loc16)
      %61 = arith.select %60, %12, %59 : i64 loc(#loc16)
      %62 = arith.maxsi %61, %c0_i64 : i64 loc(#loc16)
      %63 = arith.minsi %62, %58 : i64 loc(#loc16)
      %64 = arith.index_cast %63 : i64 to index loc(#loc16)
      %dim_28 = tensor.dim %arg6, %c1 : tensor<?x?x5xf32> loc(#loc16)
      %inserted_slice = tensor.insert_slice %expanded_26 into %arg6[%64, 0, 0] [1, %dim_28, 5] [1, 1, 1] : tensor<1x?x5xf32> into tensor<?x?x5xf32> loc(#loc16)
      scf.yield %inserted_slice, %57, %55 : tensor<?x?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32> loc(#loc16)
    } loc(#loc16)
    %dim_13 = tensor.dim %5#0, %c0 : tensor<?x?x5xf32> loc(#loc16)
    %dim_14 = tensor.dim %5#0, %c1 : tensor<?x?x5xf32> loc(#loc16)
    %expanded = tensor.expand_shape %5#0 [[0], [1, 2], [3]] output_shape [%dim_13, 1, %dim_14, 5] : tensor<?x?x5xf32> into tensor<?x1x?x5xf32> loc(#loc16)
    %collapsed_15 = tensor.collapse_shape %expanded [[0, 1], [2], [3]] : tensor<?x1x?x5xf32> into tensor<?x?x5xf32> loc(#loc17)
    %6 = tensor.empty(%dim_13) : tensor<?x5x4xf32> loc(#loc18)
    %7 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<5x4xf32>) outs(%6 : tensor<?x5x4xf32>) {
    ^bb0(%in: f32 loc("fc"(#loc9)), %out: f32 loc("fc"(#loc9))):
      linalg.yield %in : f32 loc(#loc18)
    } -> tensor<?x5x4xf32> loc(#loc18)
    %8 = tensor.empty(%dim_13, %dim_14) : tensor<?x?x4xf32> loc(#loc18)
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc18)
    %10 = linalg.batch_matmul ins(%collapsed_15, %7 : tensor<?x?x5xf32>, tensor<?x5x4xf32>) outs(%9 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc18)
    %11 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %arg4 : tensor<?x?x4xf32>, tensor<4xf32>) outs(%8 : tensor<?x?x4xf32>) {
    ^bb0(%in: f32 loc("fc"(#loc9)), %in_16: f32 loc("fc.add"(#loc10)), %out: f32 loc("fc.add"(#loc10))):
      %12 = arith.addf %in, %in_16 : f32 loc(#loc19)
      linalg.yield %12 : f32 loc(#loc19)
    } -> tensor<?x?x4xf32> loc(#loc19)
    return %11 : tensor<?x?x4xf32> loc(#loc)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("graph:lstm")
#loc8 = loc("lstm.onnx":7:1)
#loc17 = loc("squeeze"(#loc8))

