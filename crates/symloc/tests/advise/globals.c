/* Global arrays, and a size in a global variable that is unsigned. */
static unsigned size;
static float A[256][256], B[256][256];
void transpose(void)
{
    unsigned i, j;
    for (j = 0; j < size; ++j)
        for (i = 0; i < size; ++i)
            A[i][j] += 0.5f * B[i][j];
}
