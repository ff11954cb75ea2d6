// Loops that threads of OpenMP share: in sequential order, or with threads by --parallel marked.
func.func @rows(%n: index, %m: i32, %A: memref<?x?xf64>, %x: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = arith.constant 0 : i32
  %next = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  omp.parallel {
    %two = arith.constant 2 : index
    omp.wsloop {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%two) {
        memref.alloca_scope {
          scf.for %j = %zero to %n step %one {
            %a = memref.load %A[%i, %j] : memref<?x?xf64>
            memref.store %a, %A[%i, %j] : memref<?x?xf64>
          }
        }
        omp.yield
      }
    }
    omp.barrier
    omp.wsloop nowait schedule(static = %four : i32) {
      omp.loop_nest (%k) : i32 = (%first) to (%m) inclusive step (%next) {
        %at = arith.index_cast %k : i32 to index
        %a = memref.load %x[%at] : memref<?xf64>
        memref.store %a, %x[%at] : memref<?xf64>
        omp.yield
      }
    }
    omp.wsloop schedule(static = %four : i32) {
      omp.loop_nest (%i, %j) : index = (%one, %zero) to (%n, %n) step (%one, %two) collapse(2) {
        %a = memref.load %A[%i, %j] : memref<?x?xf64>
        memref.store %a, %A[%i, %j] : memref<?x?xf64>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
