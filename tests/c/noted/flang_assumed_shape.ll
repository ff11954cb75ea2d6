; function: relax
; What flang-22 makes of:
;   subroutine relax(u, f)
;     real(8), intent(inout) :: u(:,:)
;     real(4), intent(in) :: f(:,:)
;     integer :: i, j
;     do j = 2, size(u, 2) - 1
;       do i = 2, size(u, 1) - 1
;         u(i, j) = u(i - 1, j) + u(i, j + 1) + f(i, j)
;       end do
;     end do
;   end subroutine
; ModuleID = 'FIRModule'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @relax_(ptr noalias captures(none) %0, ptr noalias captures(none) %1) #0 !dbg !6 {
  %3 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8, !dbg !16
  %4 = alloca i32, i64 1, align 4, !dbg !17
  %5 = alloca i32, i64 1, align 4, !dbg !18
    #dbg_declare(ptr %1, !19, !DIExpression(), !20)
    #dbg_declare(ptr %5, !21, !DIExpression(), !18)
    #dbg_declare(ptr %4, !23, !DIExpression(), !17)
    #dbg_declare(ptr %0, !24, !DIExpression(), !20)
  %6 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 6, !dbg !16
  %7 = load i8, ptr %6, align 1, !dbg !16, !tbaa !25
  %8 = and i8 %7, -2, !dbg !16
  %9 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } { ptr undef, i64 8, i32 20240719, i8 2, i8 28, i8 0, i8 undef, [2 x [3 x i64]] undef }, i8 %8, 6, !dbg !16
  %10 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 0, i32 0, !dbg !16
  %11 = load i64, ptr %10, align 8, !dbg !16, !tbaa !25
  %12 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 0, i32 1, !dbg !16
  %13 = load i64, ptr %12, align 8, !dbg !16, !tbaa !25
  %14 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 0, i32 2, !dbg !16
  %15 = load i64, ptr %14, align 8, !dbg !16, !tbaa !25
  %16 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 1, i32 0, !dbg !16
  %17 = load i64, ptr %16, align 8, !dbg !16, !tbaa !25
  %18 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 1, i32 1, !dbg !16
  %19 = load i64, ptr %18, align 8, !dbg !16, !tbaa !25
  %20 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 1, i32 2, !dbg !16
  %21 = load i64, ptr %20, align 8, !dbg !16, !tbaa !25
  %22 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 0, !dbg !16
  %23 = load ptr, ptr %22, align 8, !dbg !16, !tbaa !25
  %24 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %9, i64 1, 7, 0, 0, !dbg !16
  %25 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %24, i64 %13, 7, 0, 1, !dbg !16
  %26 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %25, i64 %15, 7, 0, 2, !dbg !16
  %27 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %26, i64 1, 7, 1, 0, !dbg !16
  %28 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %27, i64 %19, 7, 1, 1, !dbg !16
  %29 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %28, i64 %21, 7, 1, 2, !dbg !16
  %30 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %29, ptr %23, 0, !dbg !16
  store { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %30, ptr %3, align 8, !dbg !16, !tbaa !25
  %31 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 1, i32 0, !dbg !29
  %32 = load i64, ptr %31, align 8, !dbg !29, !tbaa !25
  %33 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 1, i32 1, !dbg !29
  %34 = load i64, ptr %33, align 8, !dbg !29, !tbaa !25
  %35 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 1, i32 2, !dbg !29
  %36 = load i64, ptr %35, align 8, !dbg !29, !tbaa !25
  %37 = trunc i64 %34 to i32, !dbg !29
  %38 = sub nsw i32 %37, 1, !dbg !29
  %39 = sext i32 %38 to i64, !dbg !29
  %40 = add i64 %39, -1, !dbg !29
  br label %41, !dbg !29

41:                                               ; preds = %138, %2
  %42 = phi i32 [ %140, %138 ], [ 2, %2 ], !dbg !29
  %43 = phi i64 [ %141, %138 ], [ %40, %2 ], !dbg !29
  %44 = icmp sgt i64 %43, 0, !dbg !29
  br i1 %44, label %45, label %142, !dbg !29

45:                                               ; preds = %41
  store i32 %42, ptr %4, align 4, !dbg !29, !tbaa !30
  %46 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 0, i32 0, !dbg !34
  %47 = load i64, ptr %46, align 8, !dbg !34, !tbaa !25
  %48 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 0, i32 1, !dbg !34
  %49 = load i64, ptr %48, align 8, !dbg !34, !tbaa !25
  %50 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 7, i64 0, i32 2, !dbg !34
  %51 = load i64, ptr %50, align 8, !dbg !34, !tbaa !25
  %52 = trunc i64 %49 to i32, !dbg !34
  %53 = sub nsw i32 %52, 1, !dbg !34
  %54 = sext i32 %53 to i64, !dbg !34
  %55 = add i64 %54, -1, !dbg !34
  br label %56, !dbg !34

56:                                               ; preds = %60, %45
  %57 = phi i32 [ %136, %60 ], [ 2, %45 ], !dbg !34
  %58 = phi i64 [ %137, %60 ], [ %55, %45 ], !dbg !34
  %59 = icmp sgt i64 %58, 0, !dbg !34
  br i1 %59, label %60, label %138, !dbg !34

60:                                               ; preds = %56
  store i32 %57, ptr %5, align 4, !dbg !34, !tbaa !35
  %61 = load i32, ptr %5, align 4, !dbg !37, !tbaa !35
  %62 = sub nsw i32 %61, 1, !dbg !37
  %63 = sext i32 %62 to i64, !dbg !37
  %64 = load i32, ptr %4, align 4, !dbg !37, !tbaa !30
  %65 = sext i32 %64 to i64, !dbg !37
  %66 = sub nsw i64 %63, 1, !dbg !37
  %67 = mul nsw i64 %66, 1, !dbg !37
  %68 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 0, i32 2, !dbg !37
  %69 = load i64, ptr %68, align 8, !dbg !37, !tbaa !25
  %70 = mul nsw i64 %67, %69, !dbg !37
  %71 = add nsw i64 %70, 0, !dbg !37
  %72 = sub nsw i64 %65, 1, !dbg !37
  %73 = mul nsw i64 %72, 1, !dbg !37
  %74 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 1, i32 2, !dbg !37
  %75 = load i64, ptr %74, align 8, !dbg !37, !tbaa !25
  %76 = mul nsw i64 %73, %75, !dbg !37
  %77 = add nsw i64 %76, %71, !dbg !37
  %78 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 0, !dbg !37
  %79 = load ptr, ptr %78, align 8, !dbg !37, !tbaa !25
  %80 = getelementptr i8, ptr %79, i64 %77, !dbg !37
  %81 = load double, ptr %80, align 8, !dbg !37, !tbaa !38
  %82 = sext i32 %61 to i64, !dbg !37
  %83 = add nsw i32 %64, 1, !dbg !37
  %84 = sext i32 %83 to i64, !dbg !37
  %85 = sub nsw i64 %82, 1, !dbg !37
  %86 = mul nsw i64 %85, 1, !dbg !37
  %87 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 0, i32 2, !dbg !37
  %88 = load i64, ptr %87, align 8, !dbg !37, !tbaa !25
  %89 = mul nsw i64 %86, %88, !dbg !37
  %90 = add nsw i64 %89, 0, !dbg !37
  %91 = sub nsw i64 %84, 1, !dbg !37
  %92 = mul nsw i64 %91, 1, !dbg !37
  %93 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 1, i32 2, !dbg !37
  %94 = load i64, ptr %93, align 8, !dbg !37, !tbaa !25
  %95 = mul nsw i64 %92, %94, !dbg !37
  %96 = add nsw i64 %95, %90, !dbg !37
  %97 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 0, !dbg !37
  %98 = load ptr, ptr %97, align 8, !dbg !37, !tbaa !25
  %99 = getelementptr i8, ptr %98, i64 %96, !dbg !37
  %100 = load double, ptr %99, align 8, !dbg !37, !tbaa !38
  %101 = fadd contract double %81, %100, !dbg !37
  %102 = sub nsw i64 %82, 1, !dbg !37
  %103 = mul nsw i64 %102, 1, !dbg !37
  %104 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %1, i32 0, i32 7, i32 0, i32 2, !dbg !37
  %105 = load i64, ptr %104, align 8, !dbg !37, !tbaa !25
  %106 = mul nsw i64 %103, %105, !dbg !37
  %107 = add nsw i64 %106, 0, !dbg !37
  %108 = sub nsw i64 %65, 1, !dbg !37
  %109 = mul nsw i64 %108, 1, !dbg !37
  %110 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %1, i32 0, i32 7, i32 1, i32 2, !dbg !37
  %111 = load i64, ptr %110, align 8, !dbg !37, !tbaa !25
  %112 = mul nsw i64 %109, %111, !dbg !37
  %113 = add nsw i64 %112, %107, !dbg !37
  %114 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %1, i32 0, i32 0, !dbg !37
  %115 = load ptr, ptr %114, align 8, !dbg !37, !tbaa !25
  %116 = getelementptr i8, ptr %115, i64 %113, !dbg !37
  %117 = load float, ptr %116, align 4, !dbg !37, !tbaa !41
  %118 = fpext float %117 to double, !dbg !37
  %119 = fadd contract double %101, %118, !dbg !37
  %120 = sub nsw i64 %82, 1, !dbg !37
  %121 = mul nsw i64 %120, 1, !dbg !37
  %122 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 0, i32 2, !dbg !37
  %123 = load i64, ptr %122, align 8, !dbg !37, !tbaa !25
  %124 = mul nsw i64 %121, %123, !dbg !37
  %125 = add nsw i64 %124, 0, !dbg !37
  %126 = sub nsw i64 %65, 1, !dbg !37
  %127 = mul nsw i64 %126, 1, !dbg !37
  %128 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 7, i32 1, i32 2, !dbg !37
  %129 = load i64, ptr %128, align 8, !dbg !37, !tbaa !25
  %130 = mul nsw i64 %127, %129, !dbg !37
  %131 = add nsw i64 %130, %125, !dbg !37
  %132 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %0, i32 0, i32 0, !dbg !37
  %133 = load ptr, ptr %132, align 8, !dbg !37, !tbaa !25
  %134 = getelementptr i8, ptr %133, i64 %131, !dbg !37
  store double %119, ptr %134, align 8, !dbg !37, !tbaa !38
  %135 = load i32, ptr %5, align 4, !dbg !37, !tbaa !35
  %136 = add nsw i32 %135, 1, !dbg !37
  %137 = sub i64 %58, 1, !dbg !34
  br label %56, !dbg !34

138:                                              ; preds = %56
  store i32 %57, ptr %5, align 4, !dbg !37, !tbaa !35
  %139 = load i32, ptr %4, align 4, !dbg !43, !tbaa !30
  %140 = add nsw i32 %139, 1, !dbg !43
  %141 = sub i64 %43, 1, !dbg !29
  br label %41, !dbg !29

142:                                              ; preds = %41
  store i32 %42, ptr %4, align 4, !dbg !43, !tbaa !30
  ret void, !dbg !44
}

attributes #0 = { "target-cpu"="x86-64" }

!llvm.dbg.cu = !{!0}
!llvm.ident = !{!2}
!llvm.module.flags = !{!3, !4, !5}

!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "Debian flang version 22.1.8", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "flang_assumed_shape.f90", directory: "/source")
!2 = !{!"Debian flang version 22.1.8"}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = distinct !DISubprogram(name: "relax", linkageName: "relax_", scope: !1, file: !1, line: 1, type: !7, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!7 = !DISubroutineType(cc: DW_CC_normal, types: !8)
!8 = !{null, !9, !14}
!9 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, elements: !11, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref))
!10 = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
!11 = !{!12, !13}
!12 = !DISubrange(count: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 32, DW_OP_deref), stride: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 40, DW_OP_deref))
!13 = !DISubrange(count: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 56, DW_OP_deref), stride: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 64, DW_OP_deref))
!14 = !DICompositeType(tag: DW_TAG_array_type, baseType: !15, elements: !11, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref))
!15 = !DIBasicType(name: "real", size: 32, encoding: DW_ATE_float)
!16 = !DILocation(line: 2, column: 29, scope: !6)
!17 = !DILocation(line: 4, column: 17, scope: !6)
!18 = !DILocation(line: 4, column: 14, scope: !6)
!19 = !DILocalVariable(name: "f", arg: 2, scope: !6, file: !1, line: 3, type: !14)
!20 = !DILocation(line: 1, column: 1, scope: !6)
!21 = !DILocalVariable(name: "i", scope: !6, file: !1, line: 4, type: !22)
!22 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
!23 = !DILocalVariable(name: "j", scope: !6, file: !1, line: 4, type: !22)
!24 = !DILocalVariable(name: "u", arg: 1, scope: !6, file: !1, line: 2, type: !9)
!25 = !{!26, !26, i64 0}
!26 = !{!"descriptor member", !27, i64 0}
!27 = !{!"any access", !28, i64 0}
!28 = !{!"Flang function root _QPrelax"}
!29 = !DILocation(line: 5, column: 3, scope: !6)
!30 = !{!31, !31, i64 0}
!31 = !{!"allocated data/_QFrelaxEj", !32, i64 0}
!32 = !{!"allocated data", !33, i64 0}
!33 = !{!"any data access", !27, i64 0}
!34 = !DILocation(line: 6, column: 5, scope: !6)
!35 = !{!36, !36, i64 0}
!36 = !{!"allocated data/_QFrelaxEi", !32, i64 0}
!37 = !DILocation(line: 7, column: 7, scope: !6)
!38 = !{!39, !39, i64 0}
!39 = !{!"dummy arg data/_QFrelaxEu", !40, i64 0}
!40 = !{!"dummy arg data", !33, i64 0}
!41 = !{!42, !42, i64 0}
!42 = !{!"dummy arg data/_QFrelaxEf", !40, i64 0}
!43 = !DILocation(line: 8, column: 5, scope: !6)
!44 = !DILocation(line: 10, column: 1, scope: !6)
