// function: scale
// flags: -p tests/c/build
// Constants come from a compilation database.
void scale(double A[ROWS][COLUMNS]) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      A[i][j] *= 2.0;
}
