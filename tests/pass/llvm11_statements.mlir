// What polyhedral tools of 2020 print: each statement is a function.
#map0 = affine_map<() -> (0)>
#map1 = affine_map<(d0)[s0] -> (d0 * 32 + 32, s0)>
#map2 = affine_map<(d0) -> (d0 * 32)>
#map3 = affine_map<()[s0] -> ((s0 - 1) floordiv 32 + 1)>
module {
  func @S0(%arg0: memref<?x64xf64>, %arg1: index, %arg2: index, %arg3: f64) attributes {scop.stmt} {
    %0 = affine.load %arg0[%arg1, %arg2] : memref<?x64xf64>
    %1 = mulf %0, %arg3 : f64
    affine.store %1, %arg0[symbol(%arg1), symbol(%arg2)] : memref<?x64xf64>
    return
  }
  func @scale_new(%arg0: i32, %arg1: f64, %arg2: memref<?x64xf64>) {
    %0 = index_cast %arg0 : i32 to index
    affine.for %arg3 = 0 to #map3()[%0] {
      affine.for %arg4 = #map2(%arg3) to min #map1(%arg3)[%0] {
        affine.for %arg5 = 0 to 64 {
          call @S0(%arg2, %arg4, %arg5, %arg1) : (memref<?x64xf64>, index, index, f64) -> ()
        }
      }
    }
    return
  }
}
// OPTIONS: --function scale_new
