// function: upper_case
// Bytes are read until a zero byte and written where they are small letters.
void upper_case(char *s) {
  for (; *s; s++)
    if (*s >= 'a' && *s <= 'z') *s -= 'a' - 'A';
}
