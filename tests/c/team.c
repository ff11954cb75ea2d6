// A runtime of OpenMP that runs the threads of a team one after the other, in one thread of the machine, and writes the trace of
// their accesses to the file that the environment variable TRACE names. The variable THREADS has their number.
//
// The trace has words of 64 bits in the order of the machine's bytes. A word with the bit TURN says whose accesses follow: the
// phase (the number of barriers before it) in bits 16 to 61, and the thread in bits 0 to 15. Any other word is the address of a
// load or, with the bit STORE, of a store. Only accesses to memory that was named by trace_array() are written: variables that
// clang's outlined functions share by address are scalars of the source.
//
// Each parallel region has to be one loop with a static schedule: then one thread after the other is one of the orders in which
// threads may run, and nothing that a thread reads in a region depends on the order. A barrier inside a region ends the program.

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 64, ARGUMENTS = 40, STATIC_CHUNKED = 33, STATIC = 34 };

static const uint64_t STORE = UINT64_C(1) << 63;
static const uint64_t TURN = UINT64_C(1) << 62;

static FILE *trace;
static struct { uintptr_t start, end; } arrays[ARRAYS];
static int array_count;
static int32_t threads, thread;
static uint64_t phase;
static int is_parallel;

// Anything that goes wrong ends the program: half a trace must not be taken for a whole one.
static void fail(const char *what) {
  fprintf(stderr, "team: %s\n", what);
  exit(EXIT_FAILURE);
}

static void write_word(uint64_t word) {
  if (trace != NULL && fwrite(&word, sizeof word, 1, trace) != 1)
    fail("the trace cannot be written");
}

static void turn(uint64_t next_phase, int32_t next_thread) {
  phase = next_phase;
  thread = next_thread;
  write_word(TURN | phase << 16 | (uint64_t)thread);
}

void trace_start(void) {
  const char *path = getenv("TRACE"), *count = getenv("THREADS");
  if (path == NULL || count == NULL)
    fail("TRACE or THREADS is not set");
  threads = atoi(count);
  if (threads < 1 || threads >= 1 << 16)
    fail("THREADS is no number of threads");
  trace = fopen(path, "wb");
  if (trace == NULL)
    fail("the file in TRACE cannot be written");
  turn(0, 0);
}

void trace_stop(void) {
  FILE *file = trace;
  trace = NULL;
  if (file == NULL || fclose(file) != 0)
    fail("the trace was not begun, or cannot be written");
}

void trace_array(const void *start, size_t bytes) {
  if (array_count == ARRAYS)
    fail("too many arrays");
  arrays[array_count].start = (uintptr_t)start;
  arrays[array_count++].end = (uintptr_t)start + bytes;
}

static void record(const void *address, uint64_t kind) {
  uintptr_t place = (uintptr_t)address;
  for (int array = 0; array < array_count; array++)
    if (arrays[array].start <= place && place < arrays[array].end) {
      write_word((uint64_t)place | kind);
      return;
    }
}

void __sanitizer_cov_load1(const uint8_t *address) { record(address, 0); }
void __sanitizer_cov_load2(const uint16_t *address) { record(address, 0); }
void __sanitizer_cov_load4(const uint32_t *address) { record(address, 0); }
void __sanitizer_cov_load8(const uint64_t *address) { record(address, 0); }
void __sanitizer_cov_load16(const void *address) { record(address, 0); }
void __sanitizer_cov_store1(const uint8_t *address) { record(address, STORE); }
void __sanitizer_cov_store2(const uint16_t *address) { record(address, STORE); }
void __sanitizer_cov_store4(const uint32_t *address) { record(address, STORE); }
void __sanitizer_cov_store8(const uint64_t *address) { record(address, STORE); }
void __sanitizer_cov_store16(const void *address) { record(address, STORE); }

// The arguments are pointers, or integers of their width. The functions ignore those beyond their own.
typedef void Region(int32_t *, int32_t *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                    void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                    void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                    void *);

void __kmpc_fork_call(void *place, int32_t count, Region *region, ...) {
  (void)place;
  if (is_parallel || count > ARGUMENTS)
    fail(is_parallel ? "a parallel region in a parallel region" : "too many variables are shared");
  void *a[ARGUMENTS] = {0};
  va_list list;
  va_start(list, region);
  for (int32_t argument = 0; argument < count; argument++)
    a[argument] = va_arg(list, void *);
  va_end(list);
  is_parallel = 1;
  uint64_t own = phase + 1;
  for (int32_t next = 0; next < threads; next++) {
    turn(own, next);
    int32_t global = next, bound = next;
    region(&global, &bound, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15],
           a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31], a[32],
           a[33], a[34], a[35], a[36], a[37], a[38], a[39]);
  }
  is_parallel = 0;
  turn(own + 1, 0);
}

int32_t __kmpc_global_thread_num(void *place) {
  (void)place;
  return thread;
}

// The first block of a thread: the number of iterations before it, and in it; how far apart its blocks are.
struct Share { int64_t first, length, stride; };

static struct Share share(int32_t global, int32_t schedule, int64_t count, int64_t step, int64_t chunk) {
  if (global != thread || step != 1 || !is_parallel)
    fail("a loop of another thread, in steps, or outside of a region");
  if (schedule == STATIC_CHUNKED)
    return (struct Share){chunk * thread, chunk, chunk * threads};
  if (schedule != STATIC)
    fail("a schedule that is not static");
  int64_t each = count / threads, more = count % threads;
  return (struct Share){each * thread + (thread < more ? thread : more), each + (thread < more), count};
}

// The lower and the upper bound of the loop become those of the thread's first block, which is empty if the upper one is less.
void __kmpc_for_static_init_4(void *place, int32_t global, int32_t schedule, int32_t *is_last, int32_t *lower, int32_t *upper,
                              int32_t *stride, int32_t step, int32_t chunk) {
  (void)place, (void)is_last;
  struct Share own = share(global, schedule, (int64_t)*upper - *lower + 1, step, chunk);
  *lower = (int32_t)(*lower + own.first);
  *upper = (int32_t)(*lower + own.length - 1);
  *stride = (int32_t)own.stride;
}

// Clang compares these bounds without a sign, so the upper bound of no iterations must not wrap around: the lower one is raised.
void __kmpc_for_static_init_4u(void *place, int32_t global, int32_t schedule, int32_t *is_last, uint32_t *lower, uint32_t *upper,
                               int32_t *stride, int32_t step, int32_t chunk) {
  (void)place, (void)is_last;
  struct Share own = share(global, schedule, (int64_t)*upper - *lower + 1, step, chunk);
  int64_t last = *lower + own.first + own.length - 1;
  *lower = (uint32_t)(*lower + own.first + (last < 0));
  *upper = (uint32_t)(last + (last < 0));
  *stride = (int32_t)own.stride;
}

void __kmpc_for_static_fini(void *place, int32_t global) { (void)place, (void)global; }

void __kmpc_barrier(void *place, int32_t global) {
  (void)place, (void)global;
  fail("a barrier in a region");
}

// Each thread adds its part to the variable itself, without a barrier.
int32_t __kmpc_reduce_nowait(void *place, int32_t global, int32_t count, size_t bytes, void *data, void (*add)(void *, void *),
                             void *lock) {
  (void)place, (void)global, (void)count, (void)bytes, (void)data, (void)add, (void)lock;
  return 1;
}

void __kmpc_end_reduce_nowait(void *place, int32_t global, void *lock) { (void)place, (void)global, (void)lock; }
