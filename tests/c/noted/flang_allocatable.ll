; function: table
; What flang-22 makes of:
;   subroutine table(n)
;     integer, intent(in) :: n
;     real(8), allocatable :: t(:,:)
;     integer :: i, j
;     allocate(t(n, n))
;     do j = 1, n
;       do i = 1, n
;         t(i, j) = i * j
;       end do
;     end do
;     deallocate(t)
;   end subroutine
; ModuleID = 'FIRModule'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$_QQclX46d9671e0c07f391f1c4088be45505f7 = comdat any

@_QQclX46d9671e0c07f391f1c4088be45505f7 = linkonce constant [35 x i8] c"/my/source/x/flang_allocatable.f90\00", comdat

declare void @free(ptr)

declare ptr @malloc(i64)

define void @table_(ptr noalias captures(none) %0) #0 !dbg !6 {
  %2 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8, !dbg !10
  %3 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8, !dbg !10
  %4 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8, !dbg !11
  %5 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8, !dbg !12
  %6 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8, !dbg !13
  %7 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, align 8, !dbg !14
  %8 = alloca { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, i64 1, align 8, !dbg !14
  %9 = alloca i32, i64 1, align 4, !dbg !15
  %10 = alloca i32, i64 1, align 4, !dbg !16
    #dbg_declare(ptr %10, !17, !DIExpression(), !16)
    #dbg_declare(ptr %9, !18, !DIExpression(), !15)
    #dbg_declare(ptr %0, !19, !DIExpression(), !10)
  store { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } { ptr null, i64 8, i32 20240719, i8 2, i8 28, i8 2, i8 0, [2 x [3 x i64]] [[3 x i64] [i64 1, i64 0, i64 8], [3 x i64] [i64 1, i64 0, i64 0]] }, ptr %7, align 8, !dbg !14, !tbaa !20
  call void @llvm.memcpy.p0.p0.i32(ptr %8, ptr %7, i32 72, i1 false), !dbg !14, !tbaa !20
    #dbg_declare(ptr %8, !24, !DIExpression(), !14)
  %11 = load i32, ptr %0, align 4, !dbg !13, !tbaa !30
  %12 = sext i32 %11 to i64, !dbg !13
  %13 = icmp sgt i64 %12, 0, !dbg !13
  %14 = select i1 %13, i64 %12, i64 0, !dbg !13
  %15 = mul i64 8, %14, !dbg !13
  %16 = mul i64 %15, %14, !dbg !13
  %17 = icmp sgt i64 %16, 0, !dbg !13
  %18 = select i1 %17, i64 %16, i64 1, !dbg !13
  %19 = call ptr @malloc(i64 %18), !dbg !13
  %20 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } { ptr undef, i64 8, i32 20240719, i8 2, i8 28, i8 2, i8 0, [2 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef], [3 x i64] undef] }, i64 %14, 7, 0, 1, !dbg !13
  %21 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %20, i64 8, 7, 0, 2, !dbg !13
  %22 = mul i64 8, %14, !dbg !13
  %23 = mul i64 1, %14, !dbg !13
  %24 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %21, i64 1, 7, 1, 0, !dbg !13
  %25 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %24, i64 %14, 7, 1, 1, !dbg !13
  %26 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %25, i64 %22, 7, 1, 2, !dbg !13
  %27 = mul i64 %22, %14, !dbg !13
  %28 = mul i64 %23, %14, !dbg !13
  %29 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %26, ptr %19, 0, !dbg !13
  store { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] } %29, ptr %6, align 8, !dbg !13, !tbaa !20
  call void @llvm.memcpy.p0.p0.i32(ptr %8, ptr %6, i32 72, i1 false), !dbg !13, !tbaa !20
  %30 = load i32, ptr %0, align 4, !dbg !34, !tbaa !30
  %31 = sext i32 %30 to i64, !dbg !34
  br label %32, !dbg !34

32:                                               ; preds = %78, %1
  %33 = phi i32 [ %80, %78 ], [ 1, %1 ], !dbg !34
  %34 = phi i64 [ %81, %78 ], [ %31, %1 ], !dbg !34
  %35 = icmp sgt i64 %34, 0, !dbg !34
  br i1 %35, label %36, label %82, !dbg !34

36:                                               ; preds = %32
  store i32 %33, ptr %9, align 4, !dbg !34, !tbaa !35
  %37 = load i32, ptr %0, align 4, !dbg !38, !tbaa !30
  %38 = sext i32 %37 to i64, !dbg !38
  br label %39, !dbg !38

39:                                               ; preds = %43, %36
  %40 = phi i32 [ %76, %43 ], [ 1, %36 ], !dbg !38
  %41 = phi i64 [ %77, %43 ], [ %38, %36 ], !dbg !38
  %42 = icmp sgt i64 %41, 0, !dbg !38
  br i1 %42, label %43, label %78, !dbg !38

43:                                               ; preds = %39
  store i32 %40, ptr %10, align 4, !dbg !38, !tbaa !39
  %44 = load i32, ptr %10, align 4, !dbg !12, !tbaa !39
  %45 = load i32, ptr %9, align 4, !dbg !12, !tbaa !35
  %46 = mul i32 %44, %45, !dbg !12
  %47 = sitofp i32 %46 to double, !dbg !12
  call void @llvm.memcpy.p0.p0.i32(ptr %5, ptr %8, i32 72, i1 false), !dbg !12, !tbaa !20
  %48 = sext i32 %44 to i64, !dbg !12
  %49 = sext i32 %45 to i64, !dbg !12
  %50 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %5, i32 0, i32 0, !dbg !12
  %51 = load ptr, ptr %50, align 8, !dbg !12, !tbaa !20
  %52 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %5, i32 0, i32 7, i64 0, i32 0, !dbg !12
  %53 = load i64, ptr %52, align 8, !dbg !12, !tbaa !20
  %54 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %5, i32 0, i32 7, i64 0, i32 1, !dbg !12
  %55 = load i64, ptr %54, align 8, !dbg !12, !tbaa !20
  %56 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %5, i32 0, i32 7, i64 0, i32 2, !dbg !12
  %57 = load i64, ptr %56, align 8, !dbg !12, !tbaa !20
  %58 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %5, i32 0, i32 7, i64 1, i32 0, !dbg !12
  %59 = load i64, ptr %58, align 8, !dbg !12, !tbaa !20
  %60 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %5, i32 0, i32 7, i64 1, i32 1, !dbg !12
  %61 = load i64, ptr %60, align 8, !dbg !12, !tbaa !20
  %62 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %5, i32 0, i32 7, i64 1, i32 2, !dbg !12
  %63 = load i64, ptr %62, align 8, !dbg !12, !tbaa !20
  %64 = sub nsw i64 %48, %53, !dbg !12
  %65 = mul nsw i64 %64, 1, !dbg !12
  %66 = mul nsw i64 %65, 1, !dbg !12
  %67 = add nsw i64 %66, 0, !dbg !12
  %68 = mul nsw i64 1, %55, !dbg !12
  %69 = sub nsw i64 %49, %59, !dbg !12
  %70 = mul nsw i64 %69, 1, !dbg !12
  %71 = mul nsw i64 %70, %68, !dbg !12
  %72 = add nsw i64 %71, %67, !dbg !12
  %73 = mul nsw i64 %68, %61, !dbg !12
  %74 = getelementptr double, ptr %51, i64 %72, !dbg !12
  store double %47, ptr %74, align 8, !dbg !12, !tbaa !41
  %75 = load i32, ptr %10, align 4, !dbg !12, !tbaa !39
  %76 = add nsw i32 %75, 1, !dbg !12
  %77 = sub i64 %41, 1, !dbg !38
  br label %39, !dbg !38

78:                                               ; preds = %39
  store i32 %40, ptr %10, align 4, !dbg !12, !tbaa !39
  %79 = load i32, ptr %9, align 4, !dbg !43, !tbaa !35
  %80 = add nsw i32 %79, 1, !dbg !43
  %81 = sub i64 %34, 1, !dbg !34
  br label %32, !dbg !34

82:                                               ; preds = %32
  store i32 %33, ptr %9, align 4, !dbg !43, !tbaa !35
  call void @llvm.memcpy.p0.p0.i32(ptr %4, ptr %8, i32 72, i1 false), !dbg !11, !tbaa !20
  %83 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %4, i32 0, i32 0, !dbg !11
  %84 = load ptr, ptr %83, align 8, !dbg !11, !tbaa !20
  call void @free(ptr %84), !dbg !11
  call void @llvm.memcpy.p0.p0.i32(ptr %8, ptr %7, i32 72, i1 false), !dbg !11, !tbaa !20
  call void @llvm.memcpy.p0.p0.i32(ptr %3, ptr %8, i32 72, i1 false), !dbg !10, !tbaa !20
  %85 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %3, i32 0, i32 0, !dbg !10
  %86 = load ptr, ptr %85, align 8, !dbg !10, !tbaa !20
  %87 = ptrtoint ptr %86 to i64, !dbg !10
  %88 = icmp ne i64 %87, 0, !dbg !10
  br i1 %88, label %89, label %92, !dbg !10

89:                                               ; preds = %82
  call void @llvm.memcpy.p0.p0.i32(ptr %2, ptr %8, i32 72, i1 false), !dbg !10, !tbaa !20
  %90 = getelementptr { ptr, i64, i32, i8, i8, i8, i8, [2 x [3 x i64]] }, ptr %2, i32 0, i32 0, !dbg !10
  %91 = load ptr, ptr %90, align 8, !dbg !10, !tbaa !20
  call void @free(ptr %91), !dbg !10
  call void @llvm.memcpy.p0.p0.i32(ptr %8, ptr %7, i32 72, i1 false), !dbg !10, !tbaa !20
  br label %92, !dbg !10

92:                                               ; preds = %89, %82
  ret void, !dbg !44
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i32(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i32, i1 immarg) #1

attributes #0 = { "target-cpu"="x86-64" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }

!llvm.dbg.cu = !{!0}
!llvm.ident = !{!2}
!llvm.module.flags = !{!3, !4, !5}

!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "Debian flang version 22.1.8", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "flang_allocatable.f90", directory: "/source")
!2 = !{!"Debian flang version 22.1.8"}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = distinct !DISubprogram(name: "table", linkageName: "table_", scope: !1, file: !1, line: 1, type: !7, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!7 = !DISubroutineType(cc: DW_CC_normal, types: !8)
!8 = !{null, !9}
!9 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
!10 = !DILocation(line: 1, column: 1, scope: !6)
!11 = !DILocation(line: 11, column: 3, scope: !6)
!12 = !DILocation(line: 8, column: 7, scope: !6)
!13 = !DILocation(line: 5, column: 3, scope: !6)
!14 = !DILocation(line: 3, column: 27, scope: !6)
!15 = !DILocation(line: 4, column: 17, scope: !6)
!16 = !DILocation(line: 4, column: 14, scope: !6)
!17 = !DILocalVariable(name: "i", scope: !6, file: !1, line: 4, type: !9)
!18 = !DILocalVariable(name: "j", scope: !6, file: !1, line: 4, type: !9)
!19 = !DILocalVariable(name: "n", arg: 1, scope: !6, file: !1, line: 2, type: !9)
!20 = !{!21, !21, i64 0}
!21 = !{!"descriptor member", !22, i64 0}
!22 = !{!"any access", !23, i64 0}
!23 = !{!"Flang function root _QPtable"}
!24 = !DILocalVariable(name: "t", scope: !6, file: !1, line: 3, type: !25)
!25 = !DICompositeType(tag: DW_TAG_array_type, baseType: !26, elements: !27, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref), allocated: !DIExpression(DW_OP_push_object_address, DW_OP_deref, DW_OP_lit0, DW_OP_ne))
!26 = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
!27 = !{!28, !29}
!28 = !DISubrange(count: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 32, DW_OP_deref), lowerBound: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 24, DW_OP_deref), stride: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 40, DW_OP_deref))
!29 = !DISubrange(count: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 56, DW_OP_deref), lowerBound: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 48, DW_OP_deref), stride: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 64, DW_OP_deref))
!30 = !{!31, !31, i64 0}
!31 = !{!"dummy arg data/_QFtableEn", !32, i64 0}
!32 = !{!"dummy arg data", !33, i64 0}
!33 = !{!"any data access", !22, i64 0}
!34 = !DILocation(line: 6, column: 3, scope: !6)
!35 = !{!36, !36, i64 0}
!36 = !{!"allocated data/_QFtableEj", !37, i64 0}
!37 = !{!"allocated data", !33, i64 0}
!38 = !DILocation(line: 7, column: 5, scope: !6)
!39 = !{!40, !40, i64 0}
!40 = !{!"allocated data/_QFtableEi", !37, i64 0}
!41 = !{!42, !42, i64 0}
!42 = !{!"allocated data/_QFtableEt", !37, i64 0}
!43 = !DILocation(line: 9, column: 5, scope: !6)
!44 = !DILocation(line: 12, column: 1, scope: !6)
