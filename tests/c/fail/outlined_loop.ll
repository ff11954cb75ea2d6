; function: scale
; What Clang makes with -fopenmp of a parallel loop over a[i] *= 2.0: its body is another function.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.ident_t = type { i32, i32, i32, i32, ptr }

@0 = private unnamed_addr constant [23 x i8] c";unknown;unknown;0;0;;\00", align 1
@1 = private unnamed_addr constant %struct.ident_t { i32 0, i32 514, i32 0, i32 22, ptr @0 }, align 8
@2 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 22, ptr @0 }, align 8

; Function Attrs: nounwind uwtable
define dso_local void @scale(i32 noundef %0, ptr noalias noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  store i32 %0, ptr %3, align 4, !tbaa !6
  store ptr %1, ptr %4, align 8, !tbaa !10
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @2, i32 2, ptr @scale.omp_outlined, ptr %3, ptr %4)
  ret void
}

; Function Attrs: alwaysinline norecurse nounwind uwtable
define internal void @scale.omp_outlined(ptr noalias noundef %0, ptr noalias noundef %1, ptr noundef nonnull align 4 dereferenceable(4) %2, ptr noundef nonnull align 8 dereferenceable(8) %3) #1 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !13
  store ptr %1, ptr %6, align 8, !tbaa !13
  store ptr %2, ptr %7, align 8, !tbaa !13
  store ptr %3, ptr %8, align 8, !tbaa !15
  %19 = load ptr, ptr %7, align 8, !tbaa !13, !nonnull !18, !align !19
  %20 = load ptr, ptr %8, align 8, !tbaa !15, !nonnull !18, !align !20
  call void @llvm.lifetime.start.p0(ptr %9) #3
  call void @llvm.lifetime.start.p0(ptr %11) #3
  %21 = load i32, ptr %19, align 4, !tbaa !6
  store i32 %21, ptr %11, align 4, !tbaa !6
  call void @llvm.lifetime.start.p0(ptr %12) #3
  %22 = load i32, ptr %11, align 4, !tbaa !6
  %23 = sub nsw i32 %22, 0
  %24 = sdiv i32 %23, 1
  %25 = sub nsw i32 %24, 1
  store i32 %25, ptr %12, align 4, !tbaa !6
  call void @llvm.lifetime.start.p0(ptr %13) #3
  store i32 0, ptr %13, align 4, !tbaa !6
  call void @llvm.lifetime.end.p0(ptr %13) #3
  %26 = load i32, ptr %11, align 4, !tbaa !6
  %27 = icmp slt i32 0, %26
  br i1 %27, label %28, label %65

28:                                               ; preds = %4
  call void @llvm.lifetime.start.p0(ptr %14) #3
  store i32 0, ptr %14, align 4, !tbaa !6
  call void @llvm.lifetime.start.p0(ptr %15) #3
  %29 = load i32, ptr %12, align 4, !tbaa !6
  store i32 %29, ptr %15, align 4, !tbaa !6
  call void @llvm.lifetime.start.p0(ptr %16) #3
  store i32 1, ptr %16, align 4, !tbaa !6
  call void @llvm.lifetime.start.p0(ptr %17) #3
  store i32 0, ptr %17, align 4, !tbaa !6
  call void @llvm.lifetime.start.p0(ptr %18) #3
  %30 = load ptr, ptr %5, align 8
  %31 = load i32, ptr %30, align 4, !tbaa !6
  call void @__kmpc_for_static_init_4(ptr @1, i32 %31, i32 34, ptr %17, ptr %14, ptr %15, ptr %16, i32 1, i32 1)
  %32 = load i32, ptr %15, align 4, !tbaa !6
  %33 = load i32, ptr %12, align 4, !tbaa !6
  %34 = icmp sgt i32 %32, %33
  br i1 %34, label %35, label %37

35:                                               ; preds = %28
  %36 = load i32, ptr %12, align 4, !tbaa !6
  br label %39

37:                                               ; preds = %28
  %38 = load i32, ptr %15, align 4, !tbaa !6
  br label %39

39:                                               ; preds = %37, %35
  %40 = phi i32 [ %36, %35 ], [ %38, %37 ]
  store i32 %40, ptr %15, align 4, !tbaa !6
  %41 = load i32, ptr %14, align 4, !tbaa !6
  store i32 %41, ptr %9, align 4, !tbaa !6
  br label %42

42:                                               ; preds = %58, %39
  %43 = load i32, ptr %9, align 4, !tbaa !6
  %44 = load i32, ptr %15, align 4, !tbaa !6
  %45 = icmp sle i32 %43, %44
  br i1 %45, label %47, label %46

46:                                               ; preds = %42
  br label %61

47:                                               ; preds = %42
  %48 = load i32, ptr %9, align 4, !tbaa !6
  %49 = mul nsw i32 %48, 1
  %50 = add nsw i32 0, %49
  store i32 %50, ptr %18, align 4, !tbaa !6
  %51 = load ptr, ptr %20, align 8, !tbaa !10
  %52 = load i32, ptr %18, align 4, !tbaa !6
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds double, ptr %51, i64 %53
  %55 = load double, ptr %54, align 8, !tbaa !21
  %56 = fmul double %55, 2.000000e+00
  store double %56, ptr %54, align 8, !tbaa !21
  br label %57

57:                                               ; preds = %47
  br label %58

58:                                               ; preds = %57
  %59 = load i32, ptr %9, align 4, !tbaa !6
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %9, align 4, !tbaa !6
  br label %42

61:                                               ; preds = %46
  br label %62

62:                                               ; preds = %61
  %63 = load ptr, ptr %5, align 8
  %64 = load i32, ptr %63, align 4, !tbaa !6
  call void @__kmpc_for_static_fini(ptr @1, i32 %64)
  call void @llvm.lifetime.end.p0(ptr %18) #3
  call void @llvm.lifetime.end.p0(ptr %17) #3
  call void @llvm.lifetime.end.p0(ptr %16) #3
  call void @llvm.lifetime.end.p0(ptr %15) #3
  call void @llvm.lifetime.end.p0(ptr %14) #3
  br label %65

65:                                               ; preds = %62, %4
  call void @llvm.lifetime.end.p0(ptr %12) #3
  call void @llvm.lifetime.end.p0(ptr %11) #3
  call void @llvm.lifetime.end.p0(ptr %9) #3
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: nounwind
declare void @__kmpc_for_static_init_4(ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32) #3

; Function Attrs: nounwind
declare void @__kmpc_for_static_fini(ptr, i32) #3

; Function Attrs: nounwind
declare !callback !23 void @__kmpc_fork_call(ptr, i32, ptr, ...) #3

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { alwaysinline norecurse nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.errno.tbaa = !{!6}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"openmp", i32 51}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"PIE Level", i32 2}
!4 = !{i32 7, !"uwtable", i32 2}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!11, !11, i64 0}
!11 = !{!"p1 double", !12, i64 0}
!12 = !{!"any pointer", !8, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 int", !12, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"p2 double", !17, i64 0}
!17 = !{!"any p2 pointer", !12, i64 0}
!18 = !{}
!19 = !{i64 4}
!20 = !{i64 8}
!21 = !{!22, !22, i64 0}
!22 = !{!"double", !8, i64 0}
!23 = !{!24}
!24 = !{i64 2, i64 -1, i64 -1, i1 true}
