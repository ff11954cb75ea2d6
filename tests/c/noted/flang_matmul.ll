; function: matmul_f_
; What flang makes of c(i,j) = c(i,j) + a(i,k) * b(k,j), j, k and i from 1 to n: n is read from memory, columns are rows.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @matmul_f_(ptr noalias %0, ptr noalias %1, ptr noalias %2, ptr noalias %3) #0 {
  %5 = alloca i32, i64 1, align 4
  %6 = alloca i32, i64 1, align 4
  %7 = alloca i32, i64 1, align 4
  %8 = load i32, ptr %0, align 4
  %9 = sext i32 %8 to i64
  %10 = icmp sgt i64 %9, 0
  %11 = select i1 %10, i64 %9, i64 0
  br label %12

12:                                               ; preds = %82, %4
  %13 = phi i32 [ %84, %82 ], [ 1, %4 ]
  %14 = phi i64 [ %85, %82 ], [ %9, %4 ]
  %15 = icmp sgt i64 %14, 0
  br i1 %15, label %16, label %86

16:                                               ; preds = %12
  store i32 %13, ptr %6, align 4
  %17 = load i32, ptr %0, align 4
  %18 = sext i32 %17 to i64
  br label %19

19:                                               ; preds = %78, %16
  %20 = phi i32 [ %80, %78 ], [ 1, %16 ]
  %21 = phi i64 [ %81, %78 ], [ %18, %16 ]
  %22 = icmp sgt i64 %21, 0
  br i1 %22, label %23, label %82

23:                                               ; preds = %19
  store i32 %20, ptr %5, align 4
  %24 = load i32, ptr %0, align 4
  %25 = sext i32 %24 to i64
  br label %26

26:                                               ; preds = %30, %23
  %27 = phi i32 [ %76, %30 ], [ 1, %23 ]
  %28 = phi i64 [ %77, %30 ], [ %25, %23 ]
  %29 = icmp sgt i64 %28, 0
  br i1 %29, label %30, label %78

30:                                               ; preds = %26
  store i32 %27, ptr %7, align 4
  %31 = load i32, ptr %7, align 4
  %32 = sext i32 %31 to i64
  %33 = load i32, ptr %6, align 4
  %34 = sext i32 %33 to i64
  %35 = sub nsw i64 %32, 1
  %36 = mul nsw i64 %35, 1
  %37 = mul nsw i64 %36, 1
  %38 = add nsw i64 %37, 0
  %39 = mul nsw i64 1, %11
  %40 = sub nsw i64 %34, 1
  %41 = mul nsw i64 %40, 1
  %42 = mul nsw i64 %41, %39
  %43 = add nsw i64 %42, %38
  %44 = mul nsw i64 %39, %11
  %45 = getelementptr double, ptr %3, i64 %43
  %46 = load double, ptr %45, align 8
  %47 = load i32, ptr %5, align 4
  %48 = sext i32 %47 to i64
  %49 = sub nsw i64 %32, 1
  %50 = mul nsw i64 %49, 1
  %51 = mul nsw i64 %50, 1
  %52 = add nsw i64 %51, 0
  %53 = mul nsw i64 1, %11
  %54 = sub nsw i64 %48, 1
  %55 = mul nsw i64 %54, 1
  %56 = mul nsw i64 %55, %53
  %57 = add nsw i64 %56, %52
  %58 = mul nsw i64 %53, %11
  %59 = getelementptr double, ptr %1, i64 %57
  %60 = load double, ptr %59, align 8
  %61 = sub nsw i64 %48, 1
  %62 = mul nsw i64 %61, 1
  %63 = mul nsw i64 %62, 1
  %64 = add nsw i64 %63, 0
  %65 = mul nsw i64 1, %11
  %66 = sub nsw i64 %34, 1
  %67 = mul nsw i64 %66, 1
  %68 = mul nsw i64 %67, %65
  %69 = add nsw i64 %68, %64
  %70 = mul nsw i64 %65, %11
  %71 = getelementptr double, ptr %2, i64 %69
  %72 = load double, ptr %71, align 8
  %73 = fmul contract double %60, %72
  %74 = fadd contract double %46, %73
  store double %74, ptr %45, align 8
  %75 = load i32, ptr %7, align 4
  %76 = add nsw i32 %75, 1
  %77 = sub i64 %28, 1
  br label %26

78:                                               ; preds = %26
  store i32 %27, ptr %7, align 4
  %79 = load i32, ptr %5, align 4
  %80 = add nsw i32 %79, 1
  %81 = sub i64 %21, 1
  br label %19

82:                                               ; preds = %19
  store i32 %20, ptr %5, align 4
  %83 = load i32, ptr %6, align 4
  %84 = add nsw i32 %83, 1
  %85 = sub i64 %14, 1
  br label %12

86:                                               ; preds = %12
  store i32 %13, ptr %6, align 4
  ret void
}

attributes #0 = { "frame-pointer"="all" "target-cpu"="x86-64" }

!llvm.module.flags = !{!1, !2, !3}

!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"PIE Level", i32 2}
