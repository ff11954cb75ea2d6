// OPTIONS: --function passes
// A truth value that is passed in is 0 or 1, and a mode any number; of a callee, too.
func.func private @pass(%mode: index, %set: i1, %n: index, %b: memref<?xf64>, %c: memref<?xf64>) {
  %three = arith.constant 3 : index
  %x = affine.load %b[0] : memref<?xf64>
  %negative = arith.cmpi slt, %mode, %three : index
  %both = arith.andi %negative, %set : i1
  scf.if %both {
    affine.for %i = 0 to %n {
      affine.store %x, %c[%i] : memref<?xf64>
    }
  }
  scf.index_switch %mode
  case 0 {
    affine.store %x, %c[0] : memref<?xf64>
    scf.yield
  }
  case 7 {
    affine.store %x, %c[1] : memref<?xf64>
    scf.yield
  }
  default {
  }
  return
}

func.func @passes(%mode: index, %set: i1, %n: index, %b: memref<?xf64>, %c: memref<?xf64>) {
  func.call @pass(%mode, %set, %n, %b, %c) : (index, i1, index, memref<?xf64>, memref<?xf64>) -> ()
  return
}
