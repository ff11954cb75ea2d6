// Jumps between blocks: to a single successor, loops that test first and last, a branch on a size, an early return.
// OPTIONS: --function jumps
func.func @callee(%A: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  %x = memref.load %A[%i] : memref<?xf64>
  memref.store %x, %A[%i] : memref<?xf64>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}
func.func @jumps(%A: memref<?x?xf64>, %B: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  cf.br ^start
^start:
  cf.br ^outer(%c0 : index)
^outer(%i: index):
  cf.br ^inner(%c0 : index)
^inner(%j: index):
  %x = memref.load %A[%i, %j] : memref<?x?xf64>
  %jn = arith.addi %j, %c1 : index
  %more = arith.cmpi slt, %jn, %m : index
  cf.cond_br %more, ^inner(%jn : index), ^behind
^behind:
  memref.store %x, %B[%i] : memref<?xf64>
  %in = arith.addi %i, %c1 : index
  %go = arith.cmpi ult, %in, %n : index
  cf.cond_br %go, ^outer(%in : index), ^end
^end:
  %large = arith.cmpi sgt, %n, %c10 : index
  cf.cond_br %large, ^call, ^return
^call:
  func.call @callee(%B, %n) : (memref<?xf64>, index) -> ()
  return
^return:
  return
}
