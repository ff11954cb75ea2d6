// Parallel loops are analysed in sequential order, the last iterator fastest; a note says so.
func.func @parallel(%n: index, %m: index, %A: memref<?x?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %init = arith.constant 0.0 : f64
  affine.parallel (%i, %j) = (1, max(%m - 3, 0)) to (%n, min(%m, 100)) step (1, 2) {
    %x = affine.load %A[%i, %j] : memref<?x?xf64>
  }
  scf.parallel (%i, %j) = (%zero, %two) to (%n, %m) step (%two, %two) {
    %x = memref.load %A[%i, %j] : memref<?x?xf64>
  }
  %sum = scf.parallel (%i) = (%zero) to (%n) step (%two) init (%init) -> f64 {
    %x = memref.load %A[%i, %zero] : memref<?x?xf64>
    scf.reduce(%x : f64) {
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      scf.reduce.return %s : f64
    }
  }
  %product = affine.parallel (%i) = (0) to (%n) reduce ("mulf") -> f64 {
    %x = affine.load %A[%i, 0] : memref<?x?xf64>
    affine.yield %x : f64
  }
  scf.forall (%i, %j) = (0, 1) to (%n, 7) step (1, 2) {
    %x = memref.load %A[%i, %j] : memref<?x?xf64>
  }
  return %sum : f64
}
