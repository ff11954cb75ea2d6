; function: shifted
; What flang-22 makes of:
;   module grid
;     real(8), allocatable :: p(:,:), q(:,:)
;   contains
;     subroutine shifted(n)
;       integer, intent(in) :: n
;       q(2:n, :) = p(1:n - 1, :)
;     end subroutine
;   end module
; ModuleID = 'FIRModule'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@_QMgridEp = global { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } { ptr null, i64 8, i32 20240719, i8 2, i8 28, i8 2, i8 0, [2 x [3 x i64]] [[3 x i64] [i64 1, i64 0, i64 8], [3 x i64] [i64 1, i64 0, i64 0]] }, !dbg !0
@_QMgridEq = global { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } { ptr null, i64 8, i32 20240719, i8 2, i8 28, i8 2, i8 0, [2 x [3 x i64]] [[3 x i64] [i64 1, i64 0, i64 8], [3 x i64] [i64 1, i64 0, i64 0]] }, !dbg !6

define void @_QMgridPshifted(ptr noalias captures(none) %0) #0 !dbg !17 {
  %2 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8, !dbg !23
  %3 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8, !dbg !23
    #dbg_declare(ptr %0, !24, !DIExpression(), !25)
  call void @llvm.memcpy.p0.p0.i32(ptr %3, ptr @_QMgridEp, i32 72, i1 false), !dbg !23, !tbaa !26
  %4 = load i32, ptr %0, align 4, !dbg !23, !tbaa !30
  %5 = sub nsw i32 %4, 1, !dbg !23
  %6 = sext i32 %5 to i64, !dbg !23
  %7 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 1, i32 0, !dbg !23
  %8 = load i64, ptr %7, align 8, !dbg !23, !tbaa !26
  %9 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 1, i32 1, !dbg !23
  %10 = load i64, ptr %9, align 8, !dbg !23, !tbaa !26
  %11 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 1, i32 2, !dbg !23
  %12 = load i64, ptr %11, align 8, !dbg !23, !tbaa !26
  %13 = add i64 %8, %10, !dbg !23
  %14 = sub i64 %13, 1, !dbg !23
  %15 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 0, !dbg !23
  %16 = load ptr, ptr %15, align 8, !dbg !23, !tbaa !26
  %17 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 0, i32 0, !dbg !23
  %18 = load i64, ptr %17, align 8, !dbg !23, !tbaa !26
  %19 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 0, i32 1, !dbg !23
  %20 = load i64, ptr %19, align 8, !dbg !23, !tbaa !26
  %21 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 0, i32 2, !dbg !23
  %22 = load i64, ptr %21, align 8, !dbg !23, !tbaa !26
  call void @llvm.memcpy.p0.p0.i32(ptr %2, ptr @_QMgridEq, i32 72, i1 false), !dbg !23, !tbaa !26
  %23 = sext i32 %4 to i64, !dbg !23
  %24 = add i64 %23, -1, !dbg !23
  %25 = icmp sgt i64 %24, 0, !dbg !23
  %26 = select i1 %25, i64 %24, i64 0, !dbg !23
  %27 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %2, i32 0, i32 7, i64 1, i32 0, !dbg !23
  %28 = load i64, ptr %27, align 8, !dbg !23, !tbaa !26
  %29 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %2, i32 0, i32 7, i64 1, i32 1, !dbg !23
  %30 = load i64, ptr %29, align 8, !dbg !23, !tbaa !26
  %31 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %2, i32 0, i32 7, i64 1, i32 2, !dbg !23
  %32 = load i64, ptr %31, align 8, !dbg !23, !tbaa !26
  %33 = add i64 %28, %30, !dbg !23
  %34 = sub i64 %33, 1, !dbg !23
  %35 = sub i64 %34, %28, !dbg !23
  %36 = add i64 %35, 1, !dbg !23
  %37 = icmp sgt i64 %36, 0, !dbg !23
  %38 = select i1 %37, i64 %36, i64 0, !dbg !23
  %39 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %2, i32 0, i32 0, !dbg !23
  %40 = load ptr, ptr %39, align 8, !dbg !23, !tbaa !26
  %41 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %2, i32 0, i32 7, i64 0, i32 0, !dbg !23
  %42 = load i64, ptr %41, align 8, !dbg !23, !tbaa !26
  %43 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %2, i32 0, i32 7, i64 0, i32 1, !dbg !23
  %44 = load i64, ptr %43, align 8, !dbg !23, !tbaa !26
  %45 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %2, i32 0, i32 7, i64 0, i32 2, !dbg !23
  %46 = load i64, ptr %45, align 8, !dbg !23, !tbaa !26
  br label %47, !dbg !23

47:                                               ; preds = %97, %1
  %48 = phi i64 [ %98, %97 ], [ 1, %1 ], !dbg !23
  %49 = phi i64 [ %99, %97 ], [ %38, %1 ], !dbg !23
  %50 = icmp sgt i64 %49, 0, !dbg !23
  br i1 %50, label %51, label %100, !dbg !23

51:                                               ; preds = %55, %47
  %52 = phi i64 [ %95, %55 ], [ 1, %47 ], !dbg !23
  %53 = phi i64 [ %96, %55 ], [ %26, %47 ], !dbg !23
  %54 = icmp sgt i64 %53, 0, !dbg !23
  br i1 %54, label %55, label %97, !dbg !23

55:                                               ; preds = %51
  %56 = add nsw i64 %52, %18, !dbg !23
  %57 = sub nsw i64 %56, 1, !dbg !23
  %58 = add nsw i64 %48, %8, !dbg !23
  %59 = sub nsw i64 %58, 1, !dbg !23
  %60 = sub nsw i64 %57, %18, !dbg !23
  %61 = mul nsw i64 %60, 1, !dbg !23
  %62 = sub nsw i64 1, %18, !dbg !23
  %63 = add nsw i64 %61, %62, !dbg !23
  %64 = mul nsw i64 %63, 1, !dbg !23
  %65 = add nsw i64 %64, 0, !dbg !23
  %66 = mul nsw i64 1, %20, !dbg !23
  %67 = sub nsw i64 %59, %8, !dbg !23
  %68 = mul nsw i64 %67, 1, !dbg !23
  %69 = sub nsw i64 %8, %8, !dbg !23
  %70 = add nsw i64 %68, %69, !dbg !23
  %71 = mul nsw i64 %70, %66, !dbg !23
  %72 = add nsw i64 %71, %65, !dbg !23
  %73 = mul nsw i64 %66, %10, !dbg !23
  %74 = getelementptr double, ptr %16, i64 %72, !dbg !23
  %75 = load double, ptr %74, align 8, !dbg !23, !tbaa !34
  %76 = add nsw i64 %52, %42, !dbg !23
  %77 = sub nsw i64 %76, 1, !dbg !23
  %78 = add nsw i64 %48, %28, !dbg !23
  %79 = sub nsw i64 %78, 1, !dbg !23
  %80 = sub nsw i64 %77, %42, !dbg !23
  %81 = mul nsw i64 %80, 1, !dbg !23
  %82 = sub nsw i64 2, %42, !dbg !23
  %83 = add nsw i64 %81, %82, !dbg !23
  %84 = mul nsw i64 %83, 1, !dbg !23
  %85 = add nsw i64 %84, 0, !dbg !23
  %86 = mul nsw i64 1, %44, !dbg !23
  %87 = sub nsw i64 %79, %28, !dbg !23
  %88 = mul nsw i64 %87, 1, !dbg !23
  %89 = sub nsw i64 %28, %28, !dbg !23
  %90 = add nsw i64 %88, %89, !dbg !23
  %91 = mul nsw i64 %90, %86, !dbg !23
  %92 = add nsw i64 %91, %85, !dbg !23
  %93 = mul nsw i64 %86, %30, !dbg !23
  %94 = getelementptr double, ptr %40, i64 %92, !dbg !23
  store double %75, ptr %94, align 8, !dbg !23, !tbaa !37
  %95 = add nsw i64 %52, 1, !dbg !23
  %96 = sub i64 %53, 1, !dbg !23
  br label %51, !dbg !23

97:                                               ; preds = %51
  %98 = add nsw i64 %48, 1, !dbg !23
  %99 = sub i64 %49, 1, !dbg !23
  br label %47, !dbg !23

100:                                              ; preds = %47
  ret void, !dbg !39
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i32(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i32, i1 immarg) #1

attributes #0 = { "target-cpu"="x86-64" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }

!llvm.dbg.cu = !{!4}
!llvm.ident = !{!13}
!llvm.module.flags = !{!14, !15, !16}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "p", linkageName: "_QMgridEp", scope: !2, file: !3, line: 2, type: !8, isLocal: false, isDefinition: true)
!2 = !DIModule(scope: !4, name: "grid", file: !3, line: 3)
!3 = !DIFile(filename: "flang_sections.f90", directory: "/source")
!4 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !3, producer: "Debian flang version 22.1.8", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !5)
!5 = !{!0, !6}
!6 = !DIGlobalVariableExpression(var: !7, expr: !DIExpression())
!7 = distinct !DIGlobalVariable(name: "q", linkageName: "_QMgridEq", scope: !2, file: !3, line: 2, type: !8, isLocal: false, isDefinition: true)
!8 = !DICompositeType(tag: DW_TAG_array_type, baseType: !9, elements: !10, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref), allocated: !DIExpression(DW_OP_push_object_address, DW_OP_deref, DW_OP_lit0, DW_OP_ne))
!9 = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
!10 = !{!11, !12}
!11 = !DISubrange(count: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 32, DW_OP_deref), lowerBound: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 24, DW_OP_deref), stride: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 40, DW_OP_deref))
!12 = !DISubrange(count: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 56, DW_OP_deref), lowerBound: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 48, DW_OP_deref), stride: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 64, DW_OP_deref))
!13 = !{!"Debian flang version 22.1.8"}
!14 = !{i32 2, !"Debug Info Version", i32 3}
!15 = !{i32 8, !"PIC Level", i32 2}
!16 = !{i32 7, !"PIE Level", i32 2}
!17 = distinct !DISubprogram(name: "shifted", linkageName: "_QMgridPshifted", scope: !2, file: !3, line: 4, type: !18, scopeLine: 4, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !4, retainedNodes: !21)
!18 = !DISubroutineType(cc: DW_CC_normal, types: !19)
!19 = !{null, !20}
!20 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
!21 = !{!22}
!22 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !17, entity: !2, file: !3, line: 1)
!23 = !DILocation(line: 6, column: 5, scope: !17)
!24 = !DILocalVariable(name: "n", arg: 1, scope: !17, file: !3, line: 5, type: !20)
!25 = !DILocation(line: 4, column: 3, scope: !17)
!26 = !{!27, !27, i64 0}
!27 = !{!"descriptor member", !28, i64 0}
!28 = !{!"any access", !29, i64 0}
!29 = !{!"Flang function root _QMgridPshifted"}
!30 = !{!31, !31, i64 0}
!31 = !{!"dummy arg data/_QMgridFshiftedEn", !32, i64 0}
!32 = !{!"dummy arg data", !33, i64 0}
!33 = !{!"any data access", !28, i64 0}
!34 = !{!35, !35, i64 0}
!35 = !{!"direct data/_QMgridEp", !36, i64 0}
!36 = !{!"direct data", !33, i64 0}
!37 = !{!38, !38, i64 0}
!38 = !{!"direct data/_QMgridEq", !36, i64 0}
!39 = !DILocation(line: 7, column: 3, scope: !17)
