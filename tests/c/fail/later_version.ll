; function: f
; A later version of LLVM may print what LLVM 22 does not know.
define void @f(ptr %a) {
entry:
  %x = load future double, ptr %a
  ret void
}
