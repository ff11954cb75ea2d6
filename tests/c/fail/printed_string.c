// function: show
// What is printed is read from memory, up to a zero byte that only the data tell.
#include <stdio.h>

void show(int n, const char *names) {
  for (int i = 0; i < n; i++)
    puts(names + 16 * i);
}
