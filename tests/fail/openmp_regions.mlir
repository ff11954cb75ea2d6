// What threads of OpenMP do in another way: schedules that depend on time, several loops as one, accesses by every thread,
// memory of each thread, loops outside of regions.
func.func @regions(%n: index, %A: memref<?x?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  omp.parallel {
    %own = memref.alloca() : memref<8xf64>
    %a = memref.load %A[%zero, %zero] : memref<?x?xf64>
    omp.wsloop schedule(dynamic) {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        %b = memref.load %A[%i, %zero] : memref<?x?xf64>
        omp.yield
      }
    }
    omp.wsloop ordered(0) {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        %b = memref.load %A[%i, %zero] : memref<?x?xf64>
        omp.yield
      }
    }
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%zero, %zero) to (%n, %n) step (%one, %one) {
        %b = memref.load %A[%i, %j] : memref<?x?xf64>
        omp.yield
      }
    }
    omp.wsloop schedule(static = %n : index) {
      omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
        %b = memref.load %A[%i, %zero] : memref<?x?xf64>
        omp.yield
      }
    }
    omp.terminator
  }
  omp.wsloop {
    omp.loop_nest (%i) : index = (%zero) to (%n) step (%one) {
      %b = memref.load %A[%i, %zero] : memref<?x?xf64>
      omp.yield
    }
  }
  omp.single {
    omp.terminator
  }
  return
}
