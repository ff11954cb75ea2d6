// A batch of any size in the form that JAX exports: what it is called is told by an assertion, and functions are passed it.
module @jit_normalised attributes {jax.uses_shape_polymorphism = true} {
  func.func public @main(%arg0: tensor<6x4xf32>, %arg1: tensor<?x6xf32>, %arg2: tensor<?x4xf32>) -> (tensor<?x4xf32> {jax.result_info = ""}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
    %1 = stablehlo.compare  GE, %0, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Expected value >= 1 for dimension variable 'batch'.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = stablehlo.get_dimension_size %arg2, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %3 = stablehlo.compare  EQ, %2, %0,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %2, %0) {api_version = 2 : i32, error_message = "Found inconsistency between dimension size args[2].shape[0] (= {0}) and the specification 'batch' (= {1})", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = call @normalised(%0, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<6x4xf32>, tensor<?x6xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    return %4 : tensor<?x4xf32>
  }
  func.func private @normalised(%arg0: tensor<i32> {jax.global_constant = "batch"}, %arg1: tensor<6x4xf32>, %arg2: tensor<?x6xf32>, %arg3: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %0 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0] : (tensor<?x6xf32>, tensor<6x4xf32>) -> tensor<?x4xf32>
    %1 = stablehlo.add %0, %arg3 : tensor<?x4xf32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %twice = stablehlo.multiply %arg0, %c : tensor<i32>
    %2 = stablehlo.reshape %twice : (tensor<i32>) -> tensor<1xi32>
    %c_0 = stablehlo.constant dense<2> : tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_reshape %1, %3 : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
    %6 = stablehlo.dynamic_broadcast_in_dim %5, %3, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x2xf32>
    %7 = stablehlo.dynamic_iota %3, dim = 1 : (tensor<2xi32>) -> tensor<?x2xf32>
    %8 = stablehlo.divide %4, %6 : tensor<?x2xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<?x2xf32>
    %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %c_1 = stablehlo.constant dense<4> : tensor<1xi32>
    %11 = stablehlo.concatenate %10, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_reshape %9, %11 : (tensor<?x2xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    return %12 : tensor<?x4xf32>
  }
}
