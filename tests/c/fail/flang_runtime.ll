; function: draw
; What flang-22 makes of:
;   subroutine draw(n, a)
;     integer, intent(in) :: n
;     real(8), intent(inout) :: a(n)
;     call random_number(a)
;     print *, n, a(1)
;   end subroutine
; ModuleID = 'FIRModule'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$_QQclX2F746D702F682F782F6669782F666C616E675F72756E74696D652E66393000 = comdat any

@_QQclX2F746D702F682F782F6669782F666C616E675F72756E74696D652E66393000 = linkonce constant [31 x i8] c"/my/source/x/flang_runtime.f90\00", comdat

define void @draw_(ptr noalias captures(none) %0, ptr noalias captures(none) %1) #0 !dbg !6 {
  %3 = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8, !dbg !14
    #dbg_declare(ptr %0, !15, !DIExpression(), !16)
  %4 = load i32, ptr %0, align 4, !dbg !17, !tbaa !18
  %5 = sext i32 %4 to i64, !dbg !17
  %6 = icmp sgt i64 %5, 0, !dbg !17
  %7 = select i1 %6, i64 %5, i64 0, !dbg !17
    #dbg_value(i64 %7, !24, !DIExpression(), !17)
    #dbg_declare(ptr %1, !26, !DIExpression(), !16)
  %8 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } { ptr undef, i64 8, i32 20240719, i8 1, i8 28, i8 0, i8 0, [1 x [3 x i64]] [[3 x i64] [i64 1, i64 undef, i64 undef]] }, i64 %7, 7, 0, 1, !dbg !14
  %9 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %8, i64 8, 7, 0, 2, !dbg !14
  %10 = mul i64 8, %7, !dbg !14
  %11 = mul i64 1, %7, !dbg !14
  %12 = insertvalue { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %9, ptr %1, 0, !dbg !14
  store { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } %12, ptr %3, align 8, !dbg !14, !tbaa !30
  call void @_FortranARandomNumber(ptr %3, ptr @_QQclX2F746D702F682F782F6669782F666C616E675F72756E74696D652E66393000, i32 4), !dbg !14
  %13 = call ptr @_FortranAioBeginExternalListOutput(i32 6, ptr @_QQclX2F746D702F682F782F6669782F666C616E675F72756E74696D652E66393000, i32 5) #1, !dbg !32
  %14 = load i32, ptr %0, align 4, !dbg !33, !tbaa !18
  %15 = call i1 @_FortranAioOutputInteger32(ptr %13, i32 %14) #1, !dbg !33
  %16 = mul nsw i64 1, %7, !dbg !34
  %17 = getelementptr double, ptr %1, i64 0, !dbg !34
  %18 = load double, ptr %17, align 8, !dbg !34, !tbaa !35
  %19 = call i1 @_FortranAioOutputReal64(ptr %13, double %18) #1, !dbg !34
  %20 = call i32 @_FortranAioEndIoStatement(ptr %13) #1, !dbg !32
  ret void, !dbg !37
}

declare !dbg !38 void @_FortranARandomNumber(ptr, ptr, i32)

declare !dbg !43 ptr @_FortranAioBeginExternalListOutput(i32, ptr, i32)

declare !dbg !47 zeroext i1 @_FortranAioOutputInteger32(ptr, i32)

declare !dbg !51 zeroext i1 @_FortranAioOutputReal64(ptr, double)

declare !dbg !54 i32 @_FortranAioEndIoStatement(ptr)

attributes #0 = { "target-cpu"="x86-64" }
attributes #1 = { memory(argmem: readwrite, inaccessiblemem: readwrite) }

!llvm.dbg.cu = !{!0}
!llvm.ident = !{!2}
!llvm.module.flags = !{!3, !4, !5}

!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "Debian flang version 22.1.8", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "flang_runtime.f90", directory: "/source")
!2 = !{!"Debian flang version 22.1.8"}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = distinct !DISubprogram(name: "draw", linkageName: "draw_", scope: !1, file: !1, line: 1, type: !7, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!7 = !DISubroutineType(cc: DW_CC_normal, types: !8)
!8 = !{null, !9, !10}
!9 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
!10 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, elements: !12)
!11 = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
!12 = !{!13}
!13 = !DISubrange()
!14 = !DILocation(line: 4, column: 3, scope: !6)
!15 = !DILocalVariable(name: "n", arg: 1, scope: !6, file: !1, line: 2, type: !9)
!16 = !DILocation(line: 1, column: 1, scope: !6)
!17 = !DILocation(line: 3, column: 29, scope: !6)
!18 = !{!19, !19, i64 0}
!19 = !{!"dummy arg data/_QFdrawEn", !20, i64 0}
!20 = !{!"dummy arg data", !21, i64 0}
!21 = !{!"any data access", !22, i64 0}
!22 = !{!"any access", !23, i64 0}
!23 = !{!"Flang function root _QPdraw"}
!24 = !DILocalVariable(name: "._QFdrawEa1", scope: !6, file: !1, type: !25, flags: DIFlagArtificial)
!25 = !DIBasicType(name: "integer(kind=8)", size: 64, encoding: DW_ATE_signed)
!26 = !DILocalVariable(name: "a", arg: 2, scope: !6, file: !1, line: 3, type: !27)
!27 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, elements: !28)
!28 = !{!29}
!29 = !DISubrange(count: !24)
!30 = !{!31, !31, i64 0}
!31 = !{!"descriptor member", !22, i64 0}
!32 = !DILocation(line: 5, column: 3, scope: !6)
!33 = !DILocation(line: 5, column: 12, scope: !6)
!34 = !DILocation(line: 5, column: 15, scope: !6)
!35 = !{!36, !36, i64 0}
!36 = !{!"dummy arg data/_QFdrawEa", !20, i64 0}
!37 = !DILocation(line: 6, column: 1, scope: !6)
!38 = !DISubprogram(name: "_FortranARandomNumber", linkageName: "_FortranARandomNumber", scope: !1, file: !1, line: 4, type: !39, scopeLine: 4, spFlags: DISPFlagOptimized)
!39 = !DISubroutineType(cc: DW_CC_normal, types: !40)
!40 = !{null, !41, !42, !9}
!41 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!42 = !DIBasicType(name: "integer(kind=1)", size: 8, encoding: DW_ATE_signed)
!43 = !DISubprogram(name: "_FortranAioBeginExternalListOutput", linkageName: "_FortranAioBeginExternalListOutput", scope: !1, file: !1, line: 5, type: !44, scopeLine: 5, spFlags: DISPFlagOptimized)
!44 = !DISubroutineType(cc: DW_CC_normal, types: !45)
!45 = !{!46, !9, !42, !9}
!46 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !42, size: 64)
!47 = !DISubprogram(name: "_FortranAioOutputInteger32", linkageName: "_FortranAioOutputInteger32", scope: !1, file: !1, line: 5, type: !48, scopeLine: 5, spFlags: DISPFlagOptimized)
!48 = !DISubroutineType(cc: DW_CC_normal, types: !49)
!49 = !{!50, !42, !9}
!50 = !DIBasicType(name: "integer(kind=0)", size: 1, encoding: DW_ATE_signed)
!51 = !DISubprogram(name: "_FortranAioOutputReal64", linkageName: "_FortranAioOutputReal64", scope: !1, file: !1, line: 5, type: !52, scopeLine: 5, spFlags: DISPFlagOptimized)
!52 = !DISubroutineType(cc: DW_CC_normal, types: !53)
!53 = !{!50, !42, !11}
!54 = !DISubprogram(name: "_FortranAioEndIoStatement", linkageName: "_FortranAioEndIoStatement", scope: !1, file: !1, line: 5, type: !55, scopeLine: 5, spFlags: DISPFlagOptimized)
!55 = !DISubroutineType(cc: DW_CC_normal, types: !56)
!56 = !{!9, !42}
