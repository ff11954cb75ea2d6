// nussinov of PolyBench in the syntax of LLVM 12 and 13, with the header of a C program.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<i64, dense<64> : vector<2xi32>>>, llvm.data_layout = "e-m:e"}  {
  llvm.mlir.global external @stderr() : !llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>
  llvm.func @fprintf(!llvm.ptr<struct<"struct._IO_FILE", (i32, ptr<i8>)>>, !llvm.ptr<i8>, ...) -> i32
  func private @print_array(i32, memref<?xf64>)
  func @kernel_nussinov(%n: index, %seq: memref<?xi8>, %table: memref<?x?xi32>) {
    %three = constant 3 : i32
    affine.for %r = 0 to %n {
      %i = affine.apply affine_map<(r)[n] -> (n - r - 1)>(%r)[%n]
      affine.for %j = affine_map<(i) -> (i + 1)>(%i) to %n {
        affine.if affine_set<(j) : (j - 1 >= 0)>(%j) {
          %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
          %table_2 = affine.load %table[%i, %j - 1] : memref<?x?xi32>
          %best = maxsi %table_1, %table_2 : i32
          affine.store %best, %table[%i, %j] : memref<?x?xi32>
        }
        affine.if affine_set<(i)[n] : (n - i - 2 >= 0)>(%i)[%n] {
          %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
          %table_2 = affine.load %table[%i + 1, %j] : memref<?x?xi32>
          %best = maxsi %table_1, %table_2 : i32
          affine.store %best, %table[%i, %j] : memref<?x?xi32>
        }
        affine.if affine_set<(j, i)[n] : (j - 1 >= 0, n - i - 2 >= 0)>(%j, %i)[%n] {
          affine.if affine_set<(j, i) : (j - i - 2 >= 0)>(%j, %i) {
            %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
            %table_2 = affine.load %table[%i + 1, %j - 1] : memref<?x?xi32>
            %seq_1 = affine.load %seq[%i] : memref<?xi8>
            %seq_2 = affine.load %seq[%j] : memref<?xi8>
            %base = sexti %seq_1 : i8 to i32
            %base_1 = sexti %seq_2 : i8 to i32
            %sum = addi %base, %base_1 : i32
            %pairs = cmpi eq, %sum, %three : i32
            %match = zexti %pairs : i1 to i32
            %sum_1 = addi %table_2, %match : i32
            %best = maxsi %table_1, %sum_1 : i32
            affine.store %best, %table[%i, %j] : memref<?x?xi32>
          } else {
            %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
            %table_2 = affine.load %table[%i + 1, %j - 1] : memref<?x?xi32>
            %best = maxsi %table_1, %table_2 : i32
            affine.store %best, %table[%i, %j] : memref<?x?xi32>
          }
        }
        affine.for %k = affine_map<(i) -> (i + 1)>(%i) to affine_map<(j) -> (j)>(%j) {
          %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
          %table_2 = affine.load %table[%i, %k] : memref<?x?xi32>
          %table_3 = affine.load %table[%k + 1, %j] : memref<?x?xi32>
          %sum = addi %table_2, %table_3 : i32
          %best = maxsi %table_1, %sum : i32
          affine.store %best, %table[%i, %j] : memref<?x?xi32>
        }
      }
    }
    return
  }
}
