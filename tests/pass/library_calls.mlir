// Calls of functions without a body that are known by their names: mathematics, printing, timers.
func.func private @polybench_timer_start()
func.func private @exp(f64) -> f64
func.func private @sqrtf(f32) -> f32
func.func private @printF64(f64)
func.func private @rtclock() -> f64
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.mlir.global internal constant @format("%f\0A\00") {addr_space = 0 : i32}
func.func @kernel(%n: index, %A: memref<?xf64>, %x: f32) {
  call @polybench_timer_start() : () -> ()
  affine.for %i = 0 to %n {
    %0 = affine.load %A[%i] : memref<?xf64>
    %1 = func.call @exp(%0) : (f64) -> f64
    %2 = func.call @sqrtf(%x) : (f32) -> f32
    affine.store %1, %A[%i] : memref<?xf64>
    func.call @printF64(%1) : (f64) -> ()
    %3 = llvm.mlir.addressof @format : !llvm.ptr
    %4 = llvm.getelementptr %3[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i8>
    %5 = llvm.call @printf(%4, %1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32
  }
  %t = call @rtclock() : () -> f64
  return
}
