// function: scale
// flags: -- -DROWS=24 -DCOLUMNS=64
// Constants come from the compiler's command line.
void scale(double A[ROWS][COLUMNS]) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      A[i][j] *= 2.0;
}
