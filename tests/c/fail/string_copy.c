// function: copy_string
// The copy ends after a zero byte, wherever the data have it.
void copy_string(char *to, const char *from) {
  while ((*to++ = *from++) != '\0')
    ;
}
