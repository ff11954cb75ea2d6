// Locations that the text gives itself count; their source is another file.
func.func @f(%n: index, %A: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i * symbol(%n)] : memref<?xf64> loc("gemm.c":12:7)
    scf.execute_region {
      scf.yield
    } loc(fused["gemm.c":13:9, "gemm.h":1:1])
  } loc(unknown)
  return
}
