// LLVM 12: directives of HeteroCL around affine loops, and its numbers of fixed point.
module {
  func @scheduled(%A: memref<16x8x!hcl.Fixed<16, 4>>, %B: memref<16x!hcl.UFixed<8, 2>>) attributes {top} {
    %s = hcl.create_stage_handle "s" : !hcl.StageHandle
    %li = hcl.create_loop_handle "i" : !hcl.LoopHandle
    %lj = hcl.create_loop_handle "j" : !hcl.LoopHandle
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 8 {
        %a = affine.load %A[%i, %j] : memref<16x8x!hcl.Fixed<16, 4>>
        affine.store %a, %A[%i, 7 - %j] : memref<16x8x!hcl.Fixed<16, 4>>
      } {loop_name = "j"}
      %b = affine.load %B[%i] : memref<16x!hcl.UFixed<8, 2>>
    } {loop_name = "i", stage_name = "s"}
    %outer, %inner = hcl.split(%s, %li, 4)
    hcl.pipeline(%s, %lj, 1)
    hcl.partition(%A: memref<16x8x!hcl.Fixed<16, 4>>, "CompletePartition", 1)
    return
  }
}
