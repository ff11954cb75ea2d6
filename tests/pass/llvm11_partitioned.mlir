// What tools for synthesis print: partitioned memories, directives on functions and loops.
#set0 = affine_set<(d0) : (d0 == 0)>
module {
  func @syrk(%arg0: f32, %arg1: memref<16x16xf32, affine_map<(d0, d1) -> (0, 0, d0, d1)>, 1>, %arg2: memref<16x16xf32, affine_map<(d0, d1) -> (d0 mod 2, 0, d0 floordiv 2, d1)>, 1>) attributes {func_directive = #hls.fd<pipeline=false, targetInterval=1, dataflow=false>, top_func} {
    affine.for %arg3 = 0 to 16 step 2 {
      affine.for %arg4 = 0 to 16 {
        affine.if #set0(%arg3) {
          %0 = affine.load %arg1[%arg3, %arg4] : memref<16x16xf32, affine_map<(d0, d1) -> (0, 0, d0, d1)>, 1>
          %1 = mulf %0, %arg0 {timing = #hls.t<0 -> 4, 4, 1>} : f32
          affine.store %1, %arg1[%arg3, %arg4] : memref<16x16xf32, affine_map<(d0, d1) -> (0, 0, d0, d1)>, 1>
        }
        %2 = affine.load %arg2[%arg3 + 1, %arg4] : memref<16x16xf32, affine_map<(d0, d1) -> (d0 mod 2, 0, d0 floordiv 2, d1)>, 1>
      } {loop_directive = #hls.ld<pipeline=true, targetII=2, dataflow=false, flatten=false>, parallel}
    } {loop_directive = #hls.ld<pipeline=false, targetII=1, dataflow=false, flatten=true>}
    return
  }
}
