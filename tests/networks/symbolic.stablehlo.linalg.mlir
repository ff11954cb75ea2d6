#loc2 = loc("symbolic.stablehlo.mlir":3:26)
#loc3 = loc("symbolic.stablehlo.mlir":3:50)
#loc4 = loc("symbolic.stablehlo.mlir":3:74)
#loc7 = loc("symbolic.stablehlo.mlir":11:10)
#loc8 = loc("symbolic.stablehlo.mlir":15:10)
#loc9 = loc("symbolic.stablehlo.mlir":16:10)
#loc10 = loc("symbolic.stablehlo.mlir":22:10)
#loc11 = loc("symbolic.stablehlo.mlir":24:26)
#loc12 = loc("symbolic.stablehlo.mlir":25:10)
#loc13 = loc("symbolic.stablehlo.mlir":26:10)
#loc14 = loc("symbolic.stablehlo.mlir":27:10)
#loc15 = loc("symbolic.stablehlo.mlir":28:10)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#loc18 = loc(callsite(#loc8 at #loc7))
#loc19 = loc(callsite(#loc9 at #loc7))
#loc20 = loc(callsite(#loc10 at #loc7))
#loc21 = loc(callsite(#loc11 at #loc7))
#loc22 = loc(callsite(#loc12 at #loc7))
#loc23 = loc(callsite(#loc13 at #loc7))
#loc24 = loc(callsite(#loc14 at #loc7))
#loc25 = loc(callsite(#loc15 at #loc7))
module @jit_normalised attributes {jax.uses_shape_polymorphism = true} {
  func.func public @main(%arg0: tensor<6x4xf32> {symloc.dims = ["", ""]} loc("symbolic.stablehlo.mlir":3:26), %arg1: tensor<?x6xf32> {symloc.dims = ["batch", ""]} loc("symbolic.stablehlo.mlir":3:50), %arg2: tensor<?x4xf32> {symloc.dims = ["batch", ""]} loc("symbolic.stablehlo.mlir":3:74)) -> (tensor<?x4xf32> {jax.result_info = ""}) {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc5)
    %c4 = arith.constant 4 : index loc(#loc17)
    %c2 = arith.constant 2 : index loc(#loc5)
    %c0 = arith.constant 0 : index loc(#loc5)
    %dim = tensor.dim %arg1, %c0 : tensor<?x6xf32> loc(#loc18)
    %0 = tensor.empty(%dim) : tensor<?x4xf32> loc(#loc18)
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x4xf32>) -> tensor<?x4xf32> loc(#loc18)
    %2 = linalg.matmul ins(%arg1, %arg0 : tensor<?x6xf32>, tensor<6x4xf32>) outs(%1 : tensor<?x4xf32>) -> tensor<?x4xf32> loc(#loc18)
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%0 : tensor<?x4xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc8 at #loc7)), %in_2: f32 loc("symbolic.stablehlo.mlir":3:74), %out: f32 loc(callsite(#loc9 at #loc7))):
      %13 = arith.addf %in, %in_2 : f32 loc(#loc19)
      linalg.yield %13 : f32 loc(#loc19)
    } -> tensor<?x4xf32> loc(#loc19)
    %4 = arith.muli %dim, %c2 : index loc(#loc20)
    %from_elements = tensor.from_elements %4, %c2 : tensor<2xindex> loc(#loc20)
    %reshape = tensor.reshape %3(%from_elements) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x2xf32> loc(#loc20)
    %5 = tensor.empty(%4) : tensor<?xf32> loc(#loc21)
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<?xf32>) -> tensor<?xf32> loc(#loc21)
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%reshape : tensor<?x2xf32>) outs(%6 : tensor<?xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc11 at #loc7)), %out: f32 loc(callsite(#loc11 at #loc7))):
      %13 = arith.addf %out, %in : f32 loc(#loc21)
      linalg.yield %13 : f32 loc(#loc21)
    } -> tensor<?xf32> loc(#loc21)
    %8 = tensor.empty(%4) : tensor<?x2xf32> loc(#loc22)
    %9 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<?xf32>) outs(%8 : tensor<?x2xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc12 at #loc7)), %out: f32 loc(callsite(#loc12 at #loc7))):
      linalg.yield %in : f32 loc(#loc22)
    } -> tensor<?x2xf32> loc(#loc22)
    %10 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%8 : tensor<?x2xf32>) {
    ^bb0(%out: f32 loc(callsite(#loc13 at #loc7))):
      %13 = linalg.index 1 : index loc(#loc23)
      %14 = arith.index_cast %13 : index to i64 loc(#loc23)
      %15 = arith.sitofp %14 : i64 to f32 loc(#loc23)
      linalg.yield %15 : f32 loc(#loc23)
    } -> tensor<?x2xf32> loc(#loc23)
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%reshape, %9 : tensor<?x2xf32>, tensor<?x2xf32>) outs(%8 : tensor<?x2xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc10 at #loc7)), %in_2: f32 loc(callsite(#loc12 at #loc7)), %out: f32 loc(callsite(#loc14 at #loc7))):
      %13 = arith.divf %in, %in_2 : f32 loc(#loc24)
      linalg.yield %13 : f32 loc(#loc24)
    } -> tensor<?x2xf32> loc(#loc24)
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %10 : tensor<?x2xf32>, tensor<?x2xf32>) outs(%8 : tensor<?x2xf32>) {
    ^bb0(%in: f32 loc(callsite(#loc14 at #loc7)), %in_2: f32 loc(callsite(#loc13 at #loc7)), %out: f32 loc(callsite(#loc15 at #loc7))):
      %13 = arith.mulf %in, %in_2 : f32 loc(#loc25)
      linalg.yield %13 : f32 loc(#loc25)
    } -> tensor<?x2xf32> loc(#loc25)
    %from_elements_0 = tensor.from_elements %dim, %c4 : tensor<2xindex> loc(#loc17)
    %reshape_1 = tensor.reshape %12(%from_elements_0) : (tensor<?x2xf32>, tensor<2xindex>) -> tensor<?x4xf32> loc(#loc17)
    return %reshape_1 : tensor<?x4xf32> loc(#loc16)
  } loc(#loc1)
} loc(#loc)
#loc = loc("symbolic.stablehlo.mlir":2:1)
#loc1 = loc("symbolic.stablehlo.mlir":3:3)
#loc5 = loc(unknown)
#loc6 = loc("symbolic.stablehlo.mlir":32:11)
#loc16 = loc("symbolic.stablehlo.mlir":12:5)
#loc17 = loc(callsite(#loc6 at #loc7))

