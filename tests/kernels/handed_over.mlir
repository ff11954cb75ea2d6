// Arguments of all kinds: rows that are as long as a parameter, as what is accessed, or as a layout says, numbers, and a flag.
memref.global "private" constant @weights : memref<4xf32> = dense<1.0>
func.func private @shown(memref<?x?xf32>)
func.func @handed_over(%n: index, %A: memref<?x?xf32>, %B: memref<?x?x1xf32, 1>, %C: memref<?x6xf32, strided<[10, 1], offset: 3>>,
                       %x: f32, %z: complex<f32>, %v: vector<4xf32>, %flag: i1) {
  %one = arith.constant 1 : index
  %m = memref.dim %A, %one : memref<?x?xf32>
  %w = memref.get_global @weights : memref<4xf32>
  call @shown(%A) : (memref<?x?xf32>) -> ()
  affine.for %i = 0 to %n {
    %row = memref.alloca() : memref<4xf32>
    affine.for %j = 0 to %m {
      %unused = affine.load %A[%i, %j] : memref<?x?xf32>
      affine.store %x, %C[%i, %j mod 6] : memref<?x6xf32, strided<[10, 1], offset: 3>>
    }
    scf.if %flag {
      affine.for %j = 0 to 4 {
        %weight = affine.load %w[%j] : memref<4xf32>
        affine.store %weight, %row[%j] : memref<4xf32>
        affine.store %weight, %B[%j, %i, 0] : memref<?x?x1xf32, 1>
      }
    }
    affine.vector_store %v, %row[0] : memref<4xf32>, vector<4xf32>
  }
  return
}
