// nussinov: RNA secondary structure by dynamic programming                       (PolyBench/C 4.2.1, medley/nussinov)
//
//   for (i = n - 1; i >= 0; i--)
//     for (j = i + 1; j < n; j++) {
//       if (j - 1 >= 0)
//         table[i][j] = max_score(table[i][j], table[i][j - 1]);
//       if (i + 1 < n)
//         table[i][j] = max_score(table[i][j], table[i + 1][j]);
//       if (j - 1 >= 0 && i + 1 < n) {
//         if (i < j - 1)
//           table[i][j] = max_score(table[i][j], table[i + 1][j - 1] + match(seq[i], seq[j]));
//         else
//           table[i][j] = max_score(table[i][j], table[i + 1][j - 1]);
//       }
//       for (k = i + 1; k < j; k++)
//         table[i][j] = max_score(table[i][j], table[i][k] + table[k + 1][j]);
//     }
//
// max_score(a, b) is the larger one, match(a, b) is 1 if a + b = 3 and else 0.
func.func @kernel_nussinov(%n: index, %seq: memref<?xi8>, %table: memref<?x?xi32>) {
  %three = arith.constant 3 : i32
  affine.for %r = 0 to %n {
    %i = affine.apply affine_map<(r)[n] -> (n - r - 1)>(%r)[%n]
    affine.for %j = affine_map<(i) -> (i + 1)>(%i) to %n {
      affine.if affine_set<(j) : (j - 1 >= 0)>(%j) {
        %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
        %table_2 = affine.load %table[%i, %j - 1] : memref<?x?xi32>
        %best = arith.maxsi %table_1, %table_2 : i32
        affine.store %best, %table[%i, %j] : memref<?x?xi32>
      }
      affine.if affine_set<(i)[n] : (n - i - 2 >= 0)>(%i)[%n] {
        %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
        %table_2 = affine.load %table[%i + 1, %j] : memref<?x?xi32>
        %best = arith.maxsi %table_1, %table_2 : i32
        affine.store %best, %table[%i, %j] : memref<?x?xi32>
      }
      affine.if affine_set<(j, i)[n] : (j - 1 >= 0, n - i - 2 >= 0)>(%j, %i)[%n] {
        affine.if affine_set<(j, i) : (j - i - 2 >= 0)>(%j, %i) {
          %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
          %table_2 = affine.load %table[%i + 1, %j - 1] : memref<?x?xi32>
          %seq_1 = affine.load %seq[%i] : memref<?xi8>
          %seq_2 = affine.load %seq[%j] : memref<?xi8>
          %base = arith.extsi %seq_1 : i8 to i32
          %base_1 = arith.extsi %seq_2 : i8 to i32
          %sum = arith.addi %base, %base_1 : i32
          %pairs = arith.cmpi eq, %sum, %three : i32
          %match = arith.extui %pairs : i1 to i32
          %sum_1 = arith.addi %table_2, %match : i32
          %best = arith.maxsi %table_1, %sum_1 : i32
          affine.store %best, %table[%i, %j] : memref<?x?xi32>
        } else {
          %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
          %table_2 = affine.load %table[%i + 1, %j - 1] : memref<?x?xi32>
          %best = arith.maxsi %table_1, %table_2 : i32
          affine.store %best, %table[%i, %j] : memref<?x?xi32>
        }
      }
      affine.for %k = affine_map<(i) -> (i + 1)>(%i) to affine_map<(j) -> (j)>(%j) {
        %table_1 = affine.load %table[%i, %j] : memref<?x?xi32>
        %table_2 = affine.load %table[%i, %k] : memref<?x?xi32>
        %table_3 = affine.load %table[%k + 1, %j] : memref<?x?xi32>
        %sum = arith.addi %table_2, %table_3 : i32
        %best = arith.maxsi %table_1, %sum : i32
        affine.store %best, %table[%i, %j] : memref<?x?xi32>
      }
    }
  }
  return
}
