#loc2 = loc("attention.torch.mlir":3:19)
#loc3 = loc("attention.torch.mlir":3:94)
#loc5 = loc("attention.torch.mlir":12:10)
#loc6 = loc("attention.torch.mlir":14:10)
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
module {
  func.func @main(%arg0: tensor<?x2x?x4xf32> {symloc.dims = ["s0", "", "s1", ""]} loc("attention.torch.mlir":3:19), %arg1: tensor<?x1x?x?xf32> {symloc.dims = ["s0", "", "s1", "s1"]} loc("attention.torch.mlir":3:94)) -> tensor<?x2x?x4xf32> {
    %c0_i64 = arith.constant 0 : i64 loc(#loc4)
    %c0 = arith.constant 0 : index loc(#loc4)
    %c2 = arith.constant 2 : index loc(#loc4)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc4)
    %true = arith.constant true loc(#loc4)
    %false = arith.constant false loc(#loc4)
    %cst_0 = arith.constant 0xFF800000 : f32 loc(#loc4)
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc5)
    %cst_2 = arith.constant 5.000000e-01 : f32 loc(#loc4)
    %cst_3 = arith.constant 2.500000e-01 : f32 loc(#loc4)
    %dim = tensor.dim %arg0, %c0 : tensor<?x2x?x4xf32> loc(#loc5)
    %dim_4 = tensor.dim %arg0, %c2 : tensor<?x2x?x4xf32> loc(#loc5)
    %0 = tensor.empty(%dim, %dim_4) : tensor<?x2x4x?xf32> loc(#loc5)
    %transposed = linalg.transpose ins(%arg0 : tensor<?x2x?x4xf32>) outs(%0 : tensor<?x2x4x?xf32>) permutation = [0, 1, 3, 2]  loc(#loc5)
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<?x2x?x4xf32> into tensor<?x?x4xf32> loc(#loc5)
    %collapsed_5 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<?x2x4x?xf32> into tensor<?x4x?xf32> loc(#loc5)
    %1 = arith.muli %dim, %c2 : index loc(#loc5)
    %2 = tensor.empty(%1, %dim_4, %dim_4) : tensor<?x?x?xf32> loc(#loc5)
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc5)
    %4 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<?x?x4xf32>, tensor<?x4x?xf32>) outs(%3 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc5)
    %5 = arith.divsi %1, %c2 : index loc(#loc5)
    %expanded = tensor.expand_shape %4 [[0, 1], [2], [3]] output_shape [%5, 2, %dim_4, %dim_4] : tensor<?x?x?xf32> into tensor<?x2x?x?xf32> loc(#loc5)
    %6 = tensor.empty(%5, %dim_4, %dim_4) : tensor<?x2x?x?xf32> loc(#loc5)
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<?x2x?x?xf32>) outs(%6 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":12:10), %out: f32 loc("attention.torch.mlir":12:10)):
      %56 = arith.mulf %in, %cst_2 : f32 loc(#loc5)
      linalg.yield %56 : f32 loc(#loc5)
    } -> tensor<?x2x?x?xf32> loc(#loc5)
    %8 = tensor.empty(%dim_4, %dim_4) : tensor<?x?xi1> loc(#loc5)
    %9 = linalg.fill ins(%true : i1) outs(%8 : tensor<?x?xi1>) -> tensor<?x?xi1> loc(#loc5)
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x?xi1>) outs(%8 : tensor<?x?xi1>) {
    ^bb0(%in: i1 loc("attention.torch.mlir":12:10), %out: i1 loc("attention.torch.mlir":12:10)):
      %56 = linalg.index 0 : index loc(#loc5)
      %57 = arith.index_cast %56 : index to i64 loc(#loc5)
      %58 = linalg.index 1 : index loc(#loc5)
      %59 = arith.index_cast %58 : index to i64 loc(#loc5)
      %60 = arith.cmpi sle, %59, %57 : i64 loc(#loc5)
      %61 = arith.select %60, %in, %false : i1 loc(#loc5)
      linalg.yield %61 : i1 loc(#loc5)
    } -> tensor<?x?xi1> loc(#loc5)
    %11 = tensor.empty(%5, %dim_4, %dim_4) : tensor<?x2x?x?xf32> loc(#loc5)
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %7, %cst_1 : tensor<?x?xi1>, tensor<?x2x?x?xf32>, tensor<f32>) outs(%11 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: i1 loc("attention.torch.mlir":12:10), %in_15: f32 loc("attention.torch.mlir":12:10), %in_16: f32 loc("attention.torch.mlir":12:10), %out: f32 loc("attention.torch.mlir":12:10)):
      %56 = arith.select %in, %in_15, %in_16 : f32 loc(#loc5)
      linalg.yield %56 : f32 loc(#loc5)
    } -> tensor<?x2x?x?xf32> loc(#loc5)
    %13 = tensor.empty(%5, %dim_4) : tensor<?x2x?xi64> loc(#loc5)
    %14 = linalg.fill ins(%c0_i64 : i64) outs(%13 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64> loc(#loc5)
    %15 = tensor.empty(%5, %dim_4) : tensor<?x2x?xf32> loc(#loc5)
    %16 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32> loc(#loc5)
    %17:2 = linalg.generic {indexing_maps = [#map, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<?x2x?x?xf32>) outs(%16, %14 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":12:10), %out: f32 loc("attention.torch.mlir":12:10), %out_15: i64 loc("attention.torch.mlir":12:10)):
      %56 = linalg.index 3 : index loc(#loc5)
      %57 = arith.index_cast %56 : index to i64 loc(#loc5)
      %58 = arith.maximumf %in, %out : f32 loc(#loc5)
      %59 = arith.cmpf ogt, %in, %out : f32 loc(#loc5)
      %60 = arith.select %59, %57, %out_15 : i64 loc(#loc5)
      linalg.yield %58, %60 : f32, i64 loc(#loc5)
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>) loc(#loc5)
    %expanded_6 = tensor.expand_shape %17#0 [[0], [1], [2, 3]] output_shape [%5, 2, %dim_4, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32> loc(#loc5)
    %18 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_6 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%11 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":12:10), %in_15: f32 loc("attention.torch.mlir":12:10), %out: f32 loc("attention.torch.mlir":12:10)):
      %56 = arith.subf %in, %in_15 : f32 loc(#loc5)
      linalg.yield %56 : f32 loc(#loc5)
    } -> tensor<?x2x?x?xf32> loc(#loc5)
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<?x2x?x?xf32>) outs(%11 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":12:10), %out: f32 loc("attention.torch.mlir":12:10)):
      %56 = math.exp %in : f32 loc(#loc5)
      linalg.yield %56 : f32 loc(#loc5)
    } -> tensor<?x2x?x?xf32> loc(#loc5)
    %20 = tensor.empty(%5, %dim_4) : tensor<?x2x?x1xf32> loc(#loc5)
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32> loc(#loc5)
    %22 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<?x2x?x?xf32>) outs(%21 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":12:10), %out: f32 loc("attention.torch.mlir":12:10)):
      %56 = arith.addf %in, %out : f32 loc(#loc5)
      linalg.yield %56 : f32 loc(#loc5)
    } -> tensor<?x2x?x1xf32> loc(#loc5)
    %23 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%11 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":12:10), %in_15: f32 loc("attention.torch.mlir":12:10), %out: f32 loc("attention.torch.mlir":12:10)):
      %56 = arith.divf %in, %in_15 : f32 loc(#loc5)
      linalg.yield %56 : f32 loc(#loc5)
    } -> tensor<?x2x?x?xf32> loc(#loc5)
    %24 = arith.maxui %5, %dim : index loc(#loc5)
    cf.assert %true, "mismatching contracting dimension" loc(#loc5)
    %collapsed_7 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<?x2x?x?xf32> into tensor<?x?x?xf32> loc(#loc5)
    %25 = arith.muli %24, %c2 : index loc(#loc5)
    %26 = tensor.empty(%25, %dim_4) : tensor<?x?x4xf32> loc(#loc5)
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc5)
    %28 = linalg.batch_matmul ins(%collapsed_7, %collapsed : tensor<?x?x?xf32>, tensor<?x?x4xf32>) outs(%27 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc5)
    %29 = arith.divsi %25, %c2 : index loc(#loc5)
    %expanded_8 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [%29, 2, %dim_4, 4] : tensor<?x?x4xf32> into tensor<?x2x?x4xf32> loc(#loc5)
    %30 = tensor.empty(%29, %dim_4) : tensor<?x2x4x?xf32> loc(#loc6)
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<?x2x?x4xf32>) outs(%30 : tensor<?x2x4x?xf32>) permutation = [0, 1, 3, 2]  loc(#loc6)
    %collapsed_10 = tensor.collapse_shape %transposed_9 [[0, 1], [2], [3]] : tensor<?x2x4x?xf32> into tensor<?x4x?xf32> loc(#loc6)
    %31 = arith.muli %29, %c2 : index loc(#loc6)
    %32 = tensor.empty(%31, %dim_4, %dim_4) : tensor<?x?x?xf32> loc(#loc6)
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc6)
    %34 = linalg.batch_matmul ins(%28, %collapsed_10 : tensor<?x?x4xf32>, tensor<?x4x?xf32>) outs(%33 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32> loc(#loc6)
    %35 = arith.divsi %31, %c2 : index loc(#loc6)
    %expanded_11 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [%35, 2, %dim_4, %dim_4] : tensor<?x?x?xf32> into tensor<?x2x?x?xf32> loc(#loc6)
    %36 = tensor.empty(%35, %dim_4, %dim_4) : tensor<?x2x?x?xf32> loc(#loc6)
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<?x2x?x?xf32>) outs(%36 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":14:10), %out: f32 loc("attention.torch.mlir":14:10)):
      %56 = arith.mulf %in, %cst_3 : f32 loc(#loc6)
      linalg.yield %56 : f32 loc(#loc6)
    } -> tensor<?x2x?x?xf32> loc(#loc6)
    %38 = linalg.generic {indexing_maps = [#map, #map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %arg1 : tensor<?x2x?x?xf32>, tensor<?x1x?x?xf32>) outs(%36 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":14:10), %in_15: f32 loc("attention.torch.mlir":14:10), %out: f32 loc("attention.torch.mlir":14:10)):
      %56 = arith.addf %in, %in_15 : f32 loc(#loc6)
      linalg.yield %56 : f32 loc(#loc6)
    } -> tensor<?x2x?x?xf32> loc(#loc6)
    %39 = tensor.empty(%35, %dim_4) : tensor<?x2x?xi64> loc(#loc6)
    %40 = linalg.fill ins(%c0_i64 : i64) outs(%39 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64> loc(#loc6)
    %41 = tensor.empty(%35, %dim_4) : tensor<?x2x?xf32> loc(#loc6)
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32> loc(#loc6)
    %43:2 = linalg.generic {indexing_maps = [#map, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<?x2x?x?xf32>) outs(%42, %40 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":14:10), %out: f32 loc("attention.torch.mlir":14:10), %out_15: i64 loc("attention.torch.mlir":14:10)):
      %56 = linalg.index 3 : index loc(#loc6)
      %57 = arith.index_cast %56 : index to i64 loc(#loc6)
      %58 = arith.maximumf %in, %out : f32 loc(#loc6)
      %59 = arith.cmpf ogt, %in, %out : f32 loc(#loc6)
      %60 = arith.select %59, %57, %out_15 : i64 loc(#loc6)
      linalg.yield %58, %60 : f32, i64 loc(#loc6)
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>) loc(#loc6)
    %expanded_12 = tensor.expand_shape %43#0 [[0], [1], [2, 3]] output_shape [%35, 2, %dim_4, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32> loc(#loc6)
    %44 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %expanded_12 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%36 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":14:10), %in_15: f32 loc("attention.torch.mlir":14:10), %out: f32 loc("attention.torch.mlir":14:10)):
      %56 = arith.subf %in, %in_15 : f32 loc(#loc6)
      linalg.yield %56 : f32 loc(#loc6)
    } -> tensor<?x2x?x?xf32> loc(#loc6)
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<?x2x?x?xf32>) outs(%36 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":14:10), %out: f32 loc("attention.torch.mlir":14:10)):
      %56 = math.exp %in : f32 loc(#loc6)
      linalg.yield %56 : f32 loc(#loc6)
    } -> tensor<?x2x?x?xf32> loc(#loc6)
    %46 = tensor.empty(%35, %dim_4) : tensor<?x2x?x1xf32> loc(#loc6)
    %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32> loc(#loc6)
    %48 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45 : tensor<?x2x?x?xf32>) outs(%47 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":14:10), %out: f32 loc("attention.torch.mlir":14:10)):
      %56 = arith.addf %in, %out : f32 loc(#loc6)
      linalg.yield %56 : f32 loc(#loc6)
    } -> tensor<?x2x?x1xf32> loc(#loc6)
    %49 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %48 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%36 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32 loc("attention.torch.mlir":14:10), %in_15: f32 loc("attention.torch.mlir":14:10), %out: f32 loc("attention.torch.mlir":14:10)):
      %56 = arith.divf %in, %in_15 : f32 loc(#loc6)
      linalg.yield %56 : f32 loc(#loc6)
    } -> tensor<?x2x?x?xf32> loc(#loc6)
    %50 = arith.maxui %35, %29 : index loc(#loc6)
    %collapsed_13 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<?x2x?x?xf32> into tensor<?x?x?xf32> loc(#loc6)
    %51 = arith.muli %50, %c2 : index loc(#loc6)
    %52 = tensor.empty(%51, %dim_4) : tensor<?x?x4xf32> loc(#loc6)
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc6)
    %54 = linalg.batch_matmul ins(%collapsed_13, %28 : tensor<?x?x?xf32>, tensor<?x?x4xf32>) outs(%53 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32> loc(#loc6)
    %55 = arith.divsi %51, %c2 : index loc(#loc6)
    %expanded_14 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [%55, 2, %dim_4, 4] : tensor<?x?x4xf32> into tensor<?x2x?x4xf32> loc(#loc6)
    return %expanded_14 : tensor<?x2x?x4xf32> loc(#loc7)
  } loc(#loc1)
} loc(#loc)
#loc = loc("attention.torch.mlir":2:1)
#loc1 = loc("attention.torch.mlir":3:3)
#loc4 = loc(unknown)
#loc7 = loc("attention.torch.mlir":15:5)

