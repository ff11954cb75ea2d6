// function: mark_squares
// The subscript is the square of the iterator.
void mark_squares(int n, char *is_square) {
  for (int i = 0; i < n; i++)
    is_square[i * i] = 1;
}
