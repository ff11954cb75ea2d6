// OPTIONS: --function f
// What grows without bounds is stopped: cases, terms, calls.
func.func @f3(%A: memref<?xf64>, %i: index) {
  affine.for %j = 0 to 8 {
    %x = memref.load %A[%i] : memref<?xf64>
    %y = memref.load %A[%j] : memref<?xf64>
  }
  return
}
func.func @c2(%A: memref<?xf64>, %i: index) {
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  call @f3(%A, %i) : (memref<?xf64>, index) -> ()
  return
}
func.func @c1(%A: memref<?xf64>, %i: index) {
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  call @c2(%A, %i) : (memref<?xf64>, index) -> ()
  return
}
func.func @f(%i: index, %n: index, %A: memref<?xf64>) {
  %m0 = affine.apply affine_map<(d0) -> ((((((((((((d0 mod 1000) * 3 mod 999) * 3 mod 998) * 3 mod 997) * 3 mod 996) * 3 mod 995) * 3 mod 994) * 3 mod 993) * 3 mod 992) * 3 mod 991) * 3 mod 990) * 3 mod 989)>(%i)
  %x = memref.load %A[%m0] : memref<?xf64>
  %t0 = affine.min affine_map<(d0)[s0] -> (d0 * 2, s0)>(%i)[%n]
  %t1 = affine.min affine_map<(d0)[s0] -> (d0 * 3, s0)>(%i)[%n]
  %t2 = affine.min affine_map<(d0)[s0] -> (d0 * 4, s0)>(%i)[%n]
  %t3 = affine.min affine_map<(d0)[s0] -> (d0 * 5, s0)>(%i)[%n]
  %t4 = affine.min affine_map<(d0)[s0] -> (d0 * 6, s0)>(%i)[%n]
  %t5 = affine.min affine_map<(d0)[s0] -> (d0 * 7, s0)>(%i)[%n]
  %t6 = affine.min affine_map<(d0)[s0] -> (d0 * 8, s0)>(%i)[%n]
  %sum0 = arith.addi %t0, %t1 : index
  %sum1 = arith.addi %sum0, %t2 : index
  %sum2 = arith.addi %sum1, %t3 : index
  %sum3 = arith.addi %sum2, %t4 : index
  %sum4 = arith.addi %sum3, %t5 : index
  %sum5 = arith.addi %sum4, %t6 : index
  %y = memref.load %A[%sum5] : memref<?xf64>
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  call @c1(%A, %i) : (memref<?xf64>, index) -> ()
  return
}
