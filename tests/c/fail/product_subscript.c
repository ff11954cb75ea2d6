// function: multiplication_table
// The subscript is the product of two iterators.
void multiplication_table(int n, int *count) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      count[i * j] += 1;
}
