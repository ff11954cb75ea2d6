//! Programs, each with a change after which it misses more: orders of loops, layouts, fusion, chunks, longer rows.

/// A program and a change that makes it worse.
pub(super) struct PlantedChange {
    pub(super) name: &'static str,
    /// The sizes and caches, and further keys.
    pub(super) question: &'static str,
    pub(super) program: &'static str,
    /// The text that is changed.
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    /// A text that is on the line with the access that misses more, after the change.
    pub(super) line: &'static str,
}

const PRODUCT: &str = "void product(int n, double C[n][n], double A[n][n], double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        C[i][j] += A[i][k] * B[k][j];
}
";

const TILED: &str = "void tiled(int n, double B[n][n], double A[n][n]) {
  for (int jj = 0; jj < n; jj += 8)
    for (int i = 0; i < n; i++)
      for (int j = jj; j < jj + 8; j++)
        if (j < n)
          B[j][i] = A[i][j];
}
";

const STENCIL: &str = "void stencil(int n, double A[n][n], double B[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      B[i][j] = A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j];
}
";

const FUSED: &str = "void fused(int n, double x[n], double y[n], double z[n]) {
  for (int i = 0; i < n; i++) {
    y[i] = 2 * x[i];
    z[i] = 3 * x[i];
  }
}
";

const THREADS: &str = "void threads(int n, double x[n]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    for (int t = 0; t < 3; t++)
      x[i] = 2 * x[i];
}
";

const PARTICLES: &str = "struct particle { double x, y; };
void push(int n, struct particle p[n]) {
  for (int i = 0; i < n; i++)
    p[i].x += 2;
}
";

const PADDED: &str = "void columns(int n, double A[][520]) {
  for (int t = 0; t < 4; t++)
    for (int j = 0; j < 8; j++)
      for (int i = 0; i < n; i++)
        A[i][j] += 1;
}
";

const SQUARES: &str = "\nsizes = { n = [100, 200] }\ncaches = [\"2KiB\", \"32KiB\"]\noptions = [\"--assume-noalias\"]";
const ROWS: &str = "\nsizes = { n = 9000 }\ncaches = [\"8KiB\", \"32KiB\"]\noptions = [\"--assume-noalias\"]";
const SHARED: &str = "\nsizes = { n = 999 }\ncaches = [\"8KiB\"]\nthreads = 4\noptions = [\"--parallel=marked\"]\nflags = [\"-fopenmp\"]";
const SETS: &str = "\nsizes = { n = 64 }\ncaches = [\"4KiB,4\"]";

pub(super) const PLANTED: [PlantedChange; 20] = [
    PlantedChange {
        name: "order_kj",
        question: SQUARES,
        program: PRODUCT,
        from: "    for (int k = 0; k < n; k++)\n      for (int j = 0; j < n; j++)\n",
        to: "    for (int j = 0; j < n; j++)\n      for (int k = 0; k < n; k++)\n",
        line: "C[i][j] +=",
    },
    PlantedChange {
        name: "order_jki",
        question: SQUARES,
        program: PRODUCT,
        from: "(int i = 0; i < n; i++)\n    for (int k = 0; k < n; k++)\n      for (int j = 0; j < n; j++)",
        to: "(int j = 0; j < n; j++)\n    for (int k = 0; k < n; k++)\n      for (int i = 0; i < n; i++)",
        line: "C[i][j] +=",
    },
    PlantedChange {
        name: "order_stencil",
        question: SQUARES,
        program: STENCIL,
        from: "(int i = 1; i < n - 1; i++)\n    for (int j = 1; j < n - 1; j++)",
        to: "(int j = 1; j < n - 1; j++)\n    for (int i = 1; i < n - 1; i++)",
        line: "B[i][j] =",
    },
    PlantedChange {
        name: "order_untiled",
        question: SQUARES,
        program: TILED,
        from: "jj += 8)\n    for (int i = 0; i < n; i++)\n      for (int j = jj; j < jj + 8; j++)",
        to: "jj += 64)\n    for (int i = 0; i < n; i++)\n      for (int j = jj; j < jj + 64; j++)",
        line: "= A[i][j]",
    },
    PlantedChange {
        name: "subscripts_B",
        question: SQUARES,
        program: PRODUCT,
        from: "B[k][j]",
        to: "B[j][k]",
        line: "C[i][j] +=",
    },
    PlantedChange {
        name: "subscripts_A",
        question: SQUARES,
        program: TILED,
        from: "A[i][j]",
        to: "A[j][i] + A[i][j]",
        line: "A[j][i]",
    },
    PlantedChange {
        name: "chunk_of_tile",
        question: SQUARES,
        program: TILED,
        from: "jj += 8)\n    for (int i = 0; i < n; i++)\n      for (int j = jj; j < jj + 8; j++)",
        to: "jj += 2)\n    for (int i = 0; i < n; i++)\n      for (int j = jj; j < jj + 2; j++)",
        line: "= A[i][j]",
    },
    PlantedChange {
        name: "fission",
        question: ROWS,
        program: FUSED,
        from: "    z[i]",
        to: "  }\n  for (int i = 0; i < n; i++) {\n    z[i]",
        line: "z[i] = 3",
    },
    PlantedChange {
        name: "another_pass",
        question: ROWS,
        program: FUSED,
        from: "  for (int i",
        to: "  for (int i = 0; i < n; i++)\n    x[i] = 1;\n  for (int i",
        line: "x[i] = 1",
    },
    PlantedChange {
        name: "temporary",
        question: ROWS,
        program: FUSED,
        from: "double z[n]) {\n",
        to: "double z[n], double t[n]) {\n  for (int i = 0; i < n; i++)\n    t[i] = x[i];\n",
        line: "t[i] = x[i]",
    },
    PlantedChange {
        name: "larger_type",
        question: ROWS,
        program: FUSED,
        from: "(int n, double x",
        to: "(int n, long double x",
        line: "y[i] = 2",
    },
    PlantedChange {
        name: "both_ways",
        question: ROWS,
        program: FUSED,
        from: "2 * x[i]",
        to: "2 * x[n - 1 - i] + x[i]",
        line: "y[i] = 2",
    },
    PlantedChange {
        name: "longer_structure",
        question: ROWS,
        program: PARTICLES,
        from: "double x, y;",
        to: "double x, y, z[6];",
        line: "p[i].x",
    },
    PlantedChange {
        name: "one_more_field",
        question: ROWS,
        program: PARTICLES,
        from: "double x, y;",
        to: "double x, y, z;",
        line: "p[i].x",
    },
    PlantedChange {
        name: "both_fields",
        question: ROWS,
        program: PARTICLES,
        from: "p[i].x += 2;\n",
        to: "p[i].x += 2;\n  for (int i = 0; i < n; i++)\n    p[i].y += 2;\n",
        line: "p[i].y",
    },
    PlantedChange {
        name: "padding_lost",
        question: SETS,
        program: PADDED,
        from: "[520]",
        to: "[512]",
        line: "A[i][j] += 1",
    },
    PlantedChange {
        name: "longer_rows",
        question: SETS,
        program: PADDED,
        from: "[520]",
        to: "[576]",
        line: "A[i][j] += 1",
    },
    PlantedChange {
        name: "sets_order",
        question: SETS,
        program: PADDED,
        from: "j < 8",
        to: "j < 16",
        line: "A[i][j] += 1",
    },
    PlantedChange {
        name: "chunk_of_one",
        question: SHARED,
        program: THREADS,
        from: "schedule(static)",
        to: "schedule(static, 1)",
        line: "x[i] = 2",
    },
    PlantedChange {
        name: "chunk_of_three",
        question: SHARED,
        program: THREADS,
        from: "schedule(static)",
        to: "schedule(static, 3)",
        line: "x[i] = 2",
    },
];
