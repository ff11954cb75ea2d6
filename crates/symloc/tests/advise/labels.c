/* Loops with labels and pragmas for the compiler of another machine, as in code for hardware synthesis. */
#define COLUMNS 150
void smooth(int height, const int *image, int *result, const int weights[9])
{
    int r, c, i, j;
    int sum;

    rows: for (r = 0; r < height - 2; r++) {
        columns: for (c = 0; c < COLUMNS - 2; c++) {
#pragma HLS pipeline II=1
            sum = 0;
            window: for (i = 0; i < 3; i++) {
                #pragma nohazard
                inner: for (j = 0; j < 3; j++)
                    add: sum += weights[i * 3 + j] * image[(r + i) * COLUMNS + c + j];
            }
            result[r * COLUMNS + c] = sum;
        }
    }
}
