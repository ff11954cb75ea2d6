// function: interpret
// The next label is looked up in a table by an element of the program that is interpreted.
double interpret(int n, const int *code, double x) {
  void *label[] = {&&add, &&twice, &&done};
  int i = 0;
next:
  if (i >= n) goto done;
  goto *label[code[i++]];
add:
  x += 1.0;
  goto next;
twice:
  x *= 2.0;
  goto next;
done:
  return x;
}
