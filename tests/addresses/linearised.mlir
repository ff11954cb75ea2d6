// Matrices in arrays of rank 1, with rows of a constant length and of a size.
// function: linearised
// rows: m=5 n=24; m=7 n=48
// simulated: m=5 n=24; m=7 n=19; m=19 n=7
// wrong: arith.addi %row, %j : => arith.addi %row, %i :
func.func @linearised(%A: memref<?xf64>, %B: memref<?xf64>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %row = arith.muli %i, %n : index
      %place = arith.addi %row, %j : index
      %x = memref.load %A[%place] : memref<?xf64>
      affine.store %x, %B[%i * 9 + 4] : memref<?xf64>
    }
  }
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %m {
      %row = arith.muli %i, %n : index
      %place = arith.addi %row, %j : index
      %x = memref.load %A[%place] : memref<?xf64>
    }
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %m = call @size(%c0) : (index) -> index
  %n = call @size(%c1) : (index) -> index
  %all = arith.muli %m, %n : index
  %nines = arith.muli %m, %c9 : index
  %A = memref.alloc(%all) : memref<?xf64>
  %B = memref.alloc(%nines) : memref<?xf64>
  call @trace_start() : () -> ()
  call @linearised(%A, %B, %m, %n) : (memref<?xf64>, memref<?xf64>, index, index) -> ()
  call @trace_stop() : () -> ()
  return
}
