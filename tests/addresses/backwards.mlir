// From the last element to the first: a stride that is negative.
// function: backwards
// linear: n=7; n=40
// rows: n=7; n=40
// wrong: strided<[-2]>> => strided<[1]>>
func.func @backwards(%A: memref<?xf64, strided<[-2]>>, %n: index) {
  affine.for %r = 0 to 3 {
    affine.for %i = 0 to %n {
      %x = affine.load %A[%i] : memref<?xf64, strided<[-2]>>
    }
  }
  return
}

// How it is run: the first element begins a line.
func.func private @size(index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %c384 = arith.constant 384 : index
  %n = call @size(%c0) : (index) -> index
  %lines = arith.muli %n, %c48 : index
  %before = arith.muli %n, %c384 : index
  %all = arith.addi %before, %c384 : index
  %bytes = memref.alloc(%all) : memref<?xi8>
  %start = memref.view %bytes[%before][%c48] : memref<?xi8> to memref<?xf64>
  %A = memref.reinterpret_cast %start to offset: [0], sizes: [%n], strides: [-2] : memref<?xf64> to memref<?xf64, strided<[-2]>>
  call @trace_start() : () -> ()
  call @backwards(%A, %n) : (memref<?xf64, strided<[-2]>>, index) -> ()
  call @trace_stop() : () -> ()
  return
}
