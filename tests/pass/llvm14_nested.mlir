// LLVM 14: `builtin.func` in a module of its own; attributes of arguments that are no longer allowed.
module @outer attributes {test.old = #test.attribute<[1, 2]>} {
  module @inner {
    builtin.func @copy(%from: memref<?xf32> {llvm.noalias = true}, %to: memref<?xf32> {llvm.noalias = true, fir.bindc = "x"}, %n: index) -> (index {llvm.noundef}) {
      affine.for %i = 0 to %n {
        %x = affine.load %from[%i] : memref<?xf32>
        %y = math.abs %x : f32
        affine.store %y, %to[%i] : memref<?xf32>
      }
      return %n : index
    }
  }
}
