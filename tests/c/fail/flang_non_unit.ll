; function: sweep
; What flang-22 makes of:
;   subroutine sweep(n, inc, x)
;     integer, intent(in) :: n, inc
;     real(8), intent(inout) :: x(*)
;     integer :: i
;     do i = 0, n - 1
;       x(1 + i * inc) = 0.0d0
;     end do
;   end subroutine
; ModuleID = 'FIRModule'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @sweep_(ptr noalias captures(none) %0, ptr noalias captures(none) %1, ptr noalias captures(none) %2) #0 !dbg !6 {
  %4 = alloca i32, i64 1, align 4, !dbg !14
    #dbg_declare(ptr %4, !15, !DIExpression(), !14)
    #dbg_declare(ptr %1, !16, !DIExpression(), !17)
    #dbg_declare(ptr %0, !18, !DIExpression(), !17)
    #dbg_declare(ptr %2, !19, !DIExpression(), !17)
  %5 = load i32, ptr %0, align 4, !dbg !20, !tbaa !21
  %6 = sub nsw i32 %5, 1, !dbg !20
  %7 = sext i32 %6 to i64, !dbg !20
  %8 = add i64 %7, 1, !dbg !20
  br label %9, !dbg !20

9:                                                ; preds = %13, %3
  %10 = phi i32 [ %25, %13 ], [ 0, %3 ], !dbg !20
  %11 = phi i64 [ %26, %13 ], [ %8, %3 ], !dbg !20
  %12 = icmp sgt i64 %11, 0, !dbg !20
  br i1 %12, label %13, label %27, !dbg !20

13:                                               ; preds = %9
  store i32 %10, ptr %4, align 4, !dbg !20, !tbaa !27
  %14 = load i32, ptr %4, align 4, !dbg !30, !tbaa !27
  %15 = load i32, ptr %1, align 4, !dbg !30, !tbaa !31
  %16 = mul nsw i32 %14, %15, !dbg !30
  %17 = add nsw i32 %16, 1, !dbg !30
  %18 = sext i32 %17 to i64, !dbg !30
  %19 = sub nsw i64 %18, 1, !dbg !30
  %20 = mul nsw i64 %19, 1, !dbg !30
  %21 = mul nsw i64 %20, 1, !dbg !30
  %22 = add nsw i64 %21, 0, !dbg !30
  %23 = getelementptr double, ptr %2, i64 %22, !dbg !30
  store double 0.000000e+00, ptr %23, align 8, !dbg !30, !tbaa !33
  %24 = load i32, ptr %4, align 4, !dbg !30, !tbaa !27
  %25 = add nsw i32 %24, 1, !dbg !30
  %26 = sub i64 %11, 1, !dbg !20
  br label %9, !dbg !20

27:                                               ; preds = %9
  store i32 %10, ptr %4, align 4, !dbg !30, !tbaa !27
  ret void, !dbg !35
}

attributes #0 = { "target-cpu"="x86-64" }

!llvm.dbg.cu = !{!0}
!llvm.ident = !{!2}
!llvm.module.flags = !{!3, !4, !5}

!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "Debian flang version 22.1.8", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "flang_non_unit.f90", directory: "/source")
!2 = !{!"Debian flang version 22.1.8"}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = distinct !DISubprogram(name: "sweep", linkageName: "sweep_", scope: !1, file: !1, line: 1, type: !7, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!7 = !DISubroutineType(cc: DW_CC_normal, types: !8)
!8 = !{null, !9, !9, !10}
!9 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
!10 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, elements: !12)
!11 = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
!12 = !{!13}
!13 = !DISubrange()
!14 = !DILocation(line: 4, column: 14, scope: !6)
!15 = !DILocalVariable(name: "i", scope: !6, file: !1, line: 4, type: !9)
!16 = !DILocalVariable(name: "inc", arg: 2, scope: !6, file: !1, line: 2, type: !9)
!17 = !DILocation(line: 1, column: 1, scope: !6)
!18 = !DILocalVariable(name: "n", arg: 1, scope: !6, file: !1, line: 2, type: !9)
!19 = !DILocalVariable(name: "x", arg: 3, scope: !6, file: !1, line: 3, type: !10)
!20 = !DILocation(line: 5, column: 3, scope: !6)
!21 = !{!22, !22, i64 0}
!22 = !{!"dummy arg data/_QFsweepEn", !23, i64 0}
!23 = !{!"dummy arg data", !24, i64 0}
!24 = !{!"any data access", !25, i64 0}
!25 = !{!"any access", !26, i64 0}
!26 = !{!"Flang function root _QPsweep"}
!27 = !{!28, !28, i64 0}
!28 = !{!"allocated data/_QFsweepEi", !29, i64 0}
!29 = !{!"allocated data", !24, i64 0}
!30 = !DILocation(line: 6, column: 5, scope: !6)
!31 = !{!32, !32, i64 0}
!32 = !{!"dummy arg data/_QFsweepEinc", !23, i64 0}
!33 = !{!34, !34, i64 0}
!34 = !{!"dummy arg data/_QFsweepEx", !23, i64 0}
!35 = !DILocation(line: 8, column: 1, scope: !6)
