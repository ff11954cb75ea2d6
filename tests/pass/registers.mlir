// Operations that touch no memory: iter_args, arithmetic, data-dependent values that stay in registers.
func.func @registers(%n: index, %A: memref<?xf64>, %C: memref<?xcomplex<f32>>, %V: memref<?xvector<4xf32>>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to %n iter_args(%acc = %zero) -> f64 {
    %x = affine.load %A[%i] : memref<?xf64>
    %root = math.sqrt %x : f64
    %larger = arith.cmpf ogt, %root, %acc : f64
    %kept = arith.select %larger, %root, %acc : f64
    %index = arith.fptosi %x : f64 to i64
    %square = arith.muli %index, %index : i64
    %smaller = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n]
    %c = affine.load %C[%i] : memref<?xcomplex<f32>>
    %re = complex.re %c : complex<f32>
    %v = affine.load %V[%i] : memref<?xvector<4xf32>>
    %e = vector.extract %v[0] : f32 from vector<4xf32>
    %f = arith.addf %re, %e : f32
    affine.yield %kept : f64
  }
  %undefined = llvm.mlir.undef : f64
  return %sum : f64
}
