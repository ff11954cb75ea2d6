// function: reduce
// flags: --registers none
// Nothing in registers: three loops with bounds 100, 200 and 300, whose counters, sum and arrays are all in memory.
int A[200][300];
int arr[100];

int reduce(void) {
  int result = 0;
  for (int i = 0; i < 100; i++) {
    arr[i] = 0;
    for (int j = 0; j < 200; j++)
      for (int k = 0; k < 300; k++)
        arr[i] += A[j][k];
    result += arr[i];
  }
  return result;
}
