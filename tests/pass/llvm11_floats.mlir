// LLVM 11: floating-point operations of `std`.
func @floats(%n: index, %A: memref<?xf32>, %B: memref<?xf64>, %C: memref<?xi32>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf32>
    %0 = absf %a : f32
    %1 = sqrt %0 : f32
    %2 = exp %1 : f32
    %3 = negf %2 : f32
    %4 = ceilf %3 : f32
    %5 = divf %4, %a : f32
    %6 = remf %5, %a : f32
    %7 = cmpf "ult", %6, %a : f32
    %8 = select %7, %6, %a : f32
    %9 = fpext %8 : f32 to f64
    affine.store %9, %B[%i] : memref<?xf64>
    %10 = fptrunc %9 : f64 to f32
    %11 = fptosi %10 : f32 to i32
    %12 = sitofp %11 : i32 to f32
    %13 = copysign %12, %a : f32
    %14 = log %13 : f32
    %15 = tanh %14 : f32
    %16 = cos %15 : f32
    %17 = rsqrt %16 : f32
    %18 = subf %17, %a : f32
    affine.store %18, %A[%i] : memref<?xf32>
    affine.store %11, %C[%i] : memref<?xi32>
  }
  return
}
