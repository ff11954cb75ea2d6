// LLVM 10 and 11: maps and sets without `affine_map`, in definitions and in memrefs.
#shift = (d0)[s0] -> (d0 + s0)
#inner = (d0)[s0] : (d0 - 1 >= 0, s0 - d0 - 2 >= 0)
func @maps(%n: index, %A: memref<?xf32, (d0) -> (d0), 1>, %B: memref<64x64xf32, 2>) {
  affine.for %i = 0 to #shift(%n)[%n] {
    affine.if #inner(%i)[%n] {
      %x = affine.load %A[%i] : memref<?xf32, (d0) -> (d0), 1>
      affine.store %x, %B[%i mod 64, 0] : memref<64x64xf32, 2>
      affine.terminator
    }
    affine.terminator
  }
  return
}
