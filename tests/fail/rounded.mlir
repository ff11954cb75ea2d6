func.func @rounded(%x: memref<8xf32>, %s: f32) {
  %tenth = arith.constant 0.1 : f32
  %three = arith.constant 3.0 : f32
  affine.for %i = 0 to 8 {
    %0 = arith.index_cast %i : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    %2 = arith.mulf %1, %tenth : f32
    %3 = arith.fptosi %2 : f32 to i64
    %4 = arith.index_cast %3 : i64 to index
    %5 = memref.load %x[%4] : memref<8xf32>
    %6 = arith.divf %1, %three : f32
    %7 = arith.addf %6, %6 : f32
    %8 = arith.fptosi %7 : f32 to i64
    %9 = arith.index_cast %8 : i64 to index
    %10 = memref.load %x[%9] : memref<8xf32>
    %11 = math.sqrt %1 : f32
    %12 = arith.fptosi %11 : f32 to i64
    %13 = arith.index_cast %12 : i64 to index
    %14 = memref.load %x[%13] : memref<8xf32>
    %15 = arith.mulf %1, %s : f32
    %16 = arith.fptosi %15 : f32 to i64
    %17 = arith.index_cast %16 : i64 to index
    %18 = memref.load %x[%17] : memref<8xf32>
  }
  return
}
