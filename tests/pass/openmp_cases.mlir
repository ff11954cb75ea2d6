// Loops that threads of OpenMP share as one sequence, the inner one with a bound for each of two cases: read, and refused with
// --parallel marked.
func.func @cases(%n: index, %m: index, %A: memref<?x?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  %is_small = arith.cmpi slt, %n, %ten : index
  %end = arith.select %is_small, %m, %ten : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%zero, %zero) to (%n, %end) step (%one, %one) collapse(2) {
        %a = memref.load %A[%i, %j] : memref<?x?xf64>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
