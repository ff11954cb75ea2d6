// The generic form of operations reads like the custom one.
"builtin.module"() ({
  "func.func"() <{function_type = (index, memref<?xf64>) -> (), sym_name = "generic"}> ({
  ^bb0(%n: index, %A: memref<?xf64>):
    "affine.for"(%n) <{lowerBoundMap = affine_map<() -> (1)>, operandSegmentSizes = array<i32: 0, 1, 0>, step = 2 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({
    ^bb0(%i: index):
      %x = "affine.load"(%A, %i) <{map = affine_map<(d0) -> (d0 - 1)>}> : (memref<?xf64>, index) -> f64
      "affine.if"(%i) ({
        "affine.store"(%x, %A, %i) <{map = affine_map<(d0) -> (d0)>}> : (f64, memref<?xf64>, index) -> ()
        "affine.yield"() : () -> ()
      }, {
      }) {condition = affine_set<(d0) : (d0 - 5 >= 0)>} : (index) -> ()
      "affine.yield"() : () -> ()
    }) : (index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
