// Subscripts that are rounded from floating-point numbers, as where images are scaled: nearest, between two, by a third.
func.func @rounded(%x: memref<8xf32>, %y: memref<16xf32>, %z: memref<24xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %last = arith.constant 7.0 : f32
  affine.for %i = 0 to 16 {
    %0 = arith.index_cast %i : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    %2 = arith.divf %1, %two : f32
    %3 = math.floor %2 : f32
    %4 = arith.fptosi %3 : f32 to i64
    %5 = arith.index_cast %4 : i64 to index
    %6 = memref.load %x[%5] : memref<8xf32>
    // (i + 0.5) / 2 - 0.5, kept within the image; then the neighbour above.
    %7 = arith.addf %1, %half : f32
    %8 = arith.mulf %7, %half : f32
    %9 = arith.subf %8, %half : f32
    %10 = arith.maximumf %9, %zero : f32
    %11 = arith.minimumf %10, %last : f32
    %12 = math.ceil %11 : f32
    %13 = arith.fptosi %12 : f32 to i64
    %14 = arith.index_cast %13 : i64 to index
    %15 = memref.load %x[%14] : memref<8xf32>
    %16 = arith.addf %6, %15 : f32
    affine.store %16, %y[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 24 {
    %0 = arith.index_cast %i : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    %2 = arith.divf %1, %three : f32
    %3 = arith.fptosi %2 : f32 to i64
    %4 = arith.index_cast %3 : i64 to index
    %5 = memref.load %x[%4] : memref<8xf32>
    affine.store %5, %z[%i] : memref<24xf32>
  }
  // Rounded to the nearest, down where it is halfway.
  affine.for %i = 0 to 16 {
    %0 = arith.index_cast %i : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    %2 = arith.divf %1, %two : f32
    %3 = math.floor %2 : f32
    %4 = math.ceil %2 : f32
    %5 = arith.subf %2, %3 : f32
    %6 = arith.cmpf ule, %5, %half : f32
    %7 = arith.select %6, %3, %4 : f32
    %8 = arith.minimumf %7, %last : f32
    %9 = arith.fptosi %8 : f32 to i64
    %10 = arith.index_cast %9 : i64 to index
    %11 = memref.load %x[%10] : memref<8xf32>
    affine.store %11, %y[%i] : memref<16xf32>
  }
  return
}
