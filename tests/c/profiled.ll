; What clang-22 -O1 -Xclang -disable-llvm-passes -fprofile-instr-use made of
;   void clamp(int n, double *a) { for (int i = 0; i < n; i++) if (a[i] < 0.0) a[i] = 0.0; }
; after a run in which 200 of 1000 elements were negative, shortened.
define void @clamp(i32 %n, ptr noalias %a) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end, !prof !0

body:
  %index = sext i32 %i to i64
  %element = getelementptr inbounds double, ptr %a, i64 %index
  %value = load double, ptr %element
  %negative = fcmp olt double %value, 0.0
  br i1 %negative, label %clamped, label %latch, !prof !1

clamped:
  store double 0.0, ptr %element
  br label %latch

latch:
  %next = add nsw i32 %i, 1
  br label %head

end:
  ret void
}

!0 = !{!"branch_weights", i32 1001, i32 2}
!1 = !{!"branch_weights", i32 201, i32 801}
