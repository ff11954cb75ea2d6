// Arguments that choose what is accessed, and in which order: 0, negative and positive ones.
// function: flags
// rows: ta=0 set=1 n=19; ta=-3 set=1 n=16; ta=2 set=0 n=19; ta=0 set=0 n=8
// wrong: cmpi ne => cmpi eq
func.func @flags(%ta: i32, %set: i1, %n: index, %B: memref<?x?xf64, strided<[?, 1]>>, %C: memref<?x?xf64, strided<[?, 1]>>) {
  %zero = arith.constant 0 : i32
  %zeros = arith.constant 0.0 : f64
  %transposes = arith.cmpi ne, %ta, %zero : i32
  scf.if %transposes {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %x = affine.load %B[%j, %i] : memref<?x?xf64, strided<[?, 1]>>
        affine.store %x, %C[%i, %j] : memref<?x?xf64, strided<[?, 1]>>
      }
    }
  } else {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %x = affine.load %B[%i, %j] : memref<?x?xf64, strided<[?, 1]>>
        affine.store %x, %C[%i, %j] : memref<?x?xf64, strided<[?, 1]>>
      }
    }
  }
  scf.if %set {
    affine.for %i = 0 to %n {
      affine.store %zeros, %B[%i, %i] : memref<?x?xf64, strided<[?, 1]>>
    }
  }
  return
}

// How it is run.
func.func private @size(index) -> index
func.func private @pitch(index, index) -> index
func.func private @trace_start()
func.func private @trace_stop()
func.func @run() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %first = call @size(%c0) : (index) -> index
  %second = call @size(%c1) : (index) -> index
  %n = call @size(%c2) : (index) -> index
  %ta = arith.index_cast %first : index to i32
  %set = arith.index_cast %second : index to i1
  %p = call @pitch(%n, %c8) : (index, index) -> index
  %all = arith.muli %p, %n : index
  %memory_b = memref.alloc(%all) : memref<?xf64>
  %memory_c = memref.alloc(%all) : memref<?xf64>
  %B = memref.reinterpret_cast %memory_b to offset: [0], sizes: [%n, %n], strides: [%p, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  %C = memref.reinterpret_cast %memory_c to offset: [0], sizes: [%n, %n], strides: [%p, 1] : memref<?xf64> to memref<?x?xf64, strided<[?, 1]>>
  call @trace_start() : () -> ()
  call @flags(%ta, %set, %n, %B, %C) : (i32, i1, index, memref<?x?xf64, strided<[?, 1]>>, memref<?x?xf64, strided<[?, 1]>>) -> ()
  call @trace_stop() : () -> ()
  return
}
