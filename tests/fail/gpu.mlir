// What runs at the same time has no order in which it touches memory.
func.func @launch(%n: index, %A: memref<?xf32>) {
  %one = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%bx = %one, %by = %one, %bz = %one) {
    %a = memref.load %A[%x] : memref<?xf32>
    gpu.terminator
  }
  return
}
