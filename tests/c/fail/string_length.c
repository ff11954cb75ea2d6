// function: length
// The loop ends at the first zero byte, wherever the data have it.
int length(const char *s) {
  const char *p = s;
  while (*p)
    p++;
  return (int)(p - s);
}
