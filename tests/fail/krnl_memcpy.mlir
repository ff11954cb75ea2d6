func.func @copies(%a: memref<4x8xf32>, %b: memref<32xf32>, %c: memref<32xf32>, %n: i64) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %half = arith.constant 16 : i64
  %all = arith.constant 32 : i64
  "krnl.memcpy"(%b, %a, %all, %c0, %c0) : (memref<32xf32>, memref<4x8xf32>, i64, index, index) -> ()
  "krnl.memcpy"(%b, %c, %half, %c8, %c0) : (memref<32xf32>, memref<32xf32>, i64, index, index) -> ()
  "krnl.memcpy"(%b, %c, %half, %c0, %c0) : (memref<32xf32>, memref<32xf32>, i64, index, index) -> ()
  "krnl.memcpy"(%b, %c, %n, %c0, %c0) : (memref<32xf32>, memref<32xf32>, i64, index, index) -> ()
  "krnl.memcpy"(%b) : (memref<32xf32>) -> ()
  return
}
