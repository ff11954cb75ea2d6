// Names: generic ones become p0, i0, A0; keywords of isl and repeated names get a number; other characters become `_`.
func.func @names(%arg0: index, %mod: index, %Max: index, %n.x: index, %arg4: memref<?x?xf64>, %0: memref<?xf64>,
                 %i: memref<?xf64>, %lambda: memref<?xf64>) {
  affine.for %arg8 = 0 to %arg0 {
    affine.for %i_1 = 0 to %mod {
      %x = affine.load %arg4[%arg8, %i_1] : memref<?x?xf64>
    }
  }
  affine.for %k = 0 to %Max {
    affine.for %j = 0 to %n.x {
      %x = affine.load %0[%k + %j] : memref<?xf64>
    }
    affine.for %j = 0 to %n.x {
      %x = affine.load %i[%k + %j] : memref<?xf64>
    }
    affine.for %p0 = 0 to %n.x {
      %x = affine.load %lambda[%p0] : memref<?xf64>
    }
  }
  return
}
