// scf.if: comparisons, conjunctions, disjunctions, negations; values that a branch chooses; scf.index_switch.
func.func @conditions(%n: index, %A: memref<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %true = arith.constant true
  %x = arith.constant 1.0 : f64
  affine.for %i = 0 to %n {
    %less = arith.cmpi slt, %i, %two : index
    %odd = arith.remsi %i, %two : index
    %even = arith.cmpi eq, %odd, %zero : index
    %both = arith.andi %less, %even : i1
    scf.if %both {
      memref.store %x, %A[%i] : memref<?xf64>
    }
    %any = arith.ori %less, %even : i1
    scf.if %any {
      memref.store %x, %A[%i] : memref<?xf64>
    } else {
      memref.store %x, %A[%zero] : memref<?xf64>
    }
    %inner = arith.subi %n, %one : index
    %in_range = arith.cmpi ult, %i, %inner : index
    %outside = arith.xori %in_range, %true : i1
    %chosen = scf.if %outside -> index {
      scf.yield %zero : index
    } else {
      %next = arith.addi %i, %one : index
      scf.yield %next : index
    }
    memref.store %x, %A[%chosen] : memref<?xf64>
    %different = arith.cmpi ne, %i, %two : index
    scf.if %different {
      memref.store %x, %A[%two] : memref<?xf64>
    }
    %never = arith.cmpi sgt, %zero, %i : index
    scf.if %never {
      memref.store %x, %A[%two] : memref<?xf64>
    }
    %as_number = arith.extui %less : i1 to i64
    %offset = arith.index_cast %as_number : i64 to index
    memref.store %x, %A[%offset] : memref<?xf64>
    scf.index_switch %i
    case 1 {
      memref.store %x, %A[%one] : memref<?xf64>
      scf.yield
    }
    case 4 {
      memref.store %x, %A[%two] : memref<?xf64>
      scf.yield
    }
    default {
      memref.store %x, %A[%zero] : memref<?xf64>
    }
  }
  return
}
