// LLVM 11: integer arithmetic of `std`, with all its names.
func @integers(%n: i32, %A: memref<?xi32>) {
  %m = index_cast %n : i32 to index
  %c0 = constant 0 : index
  %c1 = constant 1 : index
  %c2 = constant 2 : index
  %c3 = constant 3 : index
  %k = muli %m, %c3 : index
  %h = divi_signed %k, %c2 : index
  %h1 = addi %h, %c1 : index
  %last = subi %h1, %c1 : index
  scf.for %i = %c0 to %last step %c1 {
    %r = remi_signed %i, %c3 : index
    %q = divi_unsigned %i, %c2 : index
    %s = shift_left %q, %c1 : index
    %u = remi_unsigned %s, %c3 : index
    %x = load %A[%r] : memref<?xi32>
    %y = load %A[%u] : memref<?xi32>
    %z = xor %x, %y : i32
    %v = and %x, %z : i32
    %w = or %v, %y : i32
    %t = trunci %w : i32 to i8
    %e = sexti %t : i8 to i32
    %o = zexti %t : i8 to i32
    %p = addi %e, %o : i32
    store %p, %A[%s] : memref<?xi32>
  }
  return
}
