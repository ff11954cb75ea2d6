// OPTIONS: --ignore-calls printMemrefF32,check
func.func private @printMemrefF32(memref<*xf32>)
func.func private @check(memref<4xf32>, index) -> i32
func.func @kernel(%A: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %x = affine.load %A[1] : memref<4xf32>
  %all = memref.cast %A : memref<4xf32> to memref<*xf32>
  call @printMemrefF32(%all) : (memref<*xf32>) -> ()
  %ok = call @check(%A, %c0) : (memref<4xf32>, index) -> i32
  return
}
