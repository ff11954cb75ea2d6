// Tensors, which become buffers and copies by the pipeline that symloc says it runs.
// function: tensors
// passes: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},func.func(buffer-loop-hoisting),func.func(convert-linalg-to-affine-loops)
// linear:
// wrong: [1, 2] [5, 7] [2, 1] => [0, 2] [5, 7] [2, 1]
func.func @tensors(%A: tensor<11x13xf64>, %B: tensor<5x7xf64>) -> tensor<11x13xf64> {
  %part = tensor.extract_slice %A[1, 2] [5, 7] [2, 1] : tensor<11x13xf64> to tensor<5x7xf64>
  %sum = linalg.add ins(%part, %B : tensor<5x7xf64>, tensor<5x7xf64>) outs(%B : tensor<5x7xf64>) -> tensor<5x7xf64>
  %result = tensor.insert_slice %sum into %A[6, 3] [5, 7] [1, 1] : tensor<5x7xf64> into tensor<11x13xf64>
  return %result : tensor<11x13xf64>
}

// How it is run.
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %A = tensor.empty() : tensor<11x13xf64>
  %B = tensor.empty() : tensor<5x7xf64>
  call @trace_start() : () -> ()
  %C = call @tensors(%A, %B) : (tensor<11x13xf64>, tensor<5x7xf64>) -> tensor<11x13xf64>
  call @trace_stop() : () -> ()
  return
}
