; function: scale
; LLVM IR without debug information: sizes, arrays and counters are called as the values are.
define void @scale(i32 %n, i32 %m, ptr noalias %A, double %f) {
entry:
  br label %rows

rows:
  %i = phi i32 [ 0, %entry ], [ %next.i, %row.end ]
  %more.rows = icmp slt i32 %i, %n
  br i1 %more.rows, label %columns, label %end

columns:
  %j = phi i32 [ 0, %rows ], [ %next.j, %body ]
  %more = icmp slt i32 %j, %m
  br i1 %more, label %body, label %row.end

body:
  %row = mul nsw i32 %i, %m
  %element = add nsw i32 %row, %j
  %offset = sext i32 %element to i64
  %place = getelementptr inbounds double, ptr %A, i64 %offset
  %old = load double, ptr %place, align 8
  %new = fmul double %old, %f
  store double %new, ptr %place, align 8
  %next.j = add nsw i32 %j, 1
  br label %columns

row.end:
  %next.i = add nsw i32 %i, 1
  br label %rows

end:
  ret void
}
