// A runtime of OpenMP that runs the threads of a team one after the other, in one thread of the machine, and writes the trace of
// their accesses to the file that the environment variable TRACE names. The variable THREADS has their number.
//
// The trace has words of 64 bits in the order of the machine's bytes. A word with the bit TURN says whose accesses follow: the
// phase (the number of barriers before it) in bits 16 to 61, and the thread in bits 0 to 15. Any other word is the address of a
// load or, with the bit STORE, of a store. Only accesses to memory that was named by trace_array() are written: variables that
// clang's outlined functions share by address are scalars of the source.
//
// Each thread has a stack of its own and runs until it meets a barrier or the end of the region. Without races nothing that a
// thread reads depends on this order. Thread 0 runs what one thread is to run.

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { ARRAYS = 1024, ARGUMENTS = 40, STACK = 1 << 18, STATIC_CHUNKED = 33, STATIC = 34, MONOTONIC = 1 << 29 };

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

// Threads name their own arrays in each iteration.
void trace_array(const void *start, size_t bytes) {
  for (int array = 0; array < array_count; array++)
    if (arrays[array].start == (uintptr_t)start && arrays[array].end == (uintptr_t)start + bytes)
      return;
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

struct Member {
  ucontext_t place;
  char *stack;
  int has_ended;
};

static struct Member *team;
static ucontext_t outside;
static Region *running;
static void *shared[ARGUMENTS];

// Runs the region as the thread whose turn it is.
static void run_region(void) {
  int32_t global = thread, bound = thread;
  void **a = shared;
  running(&global, &bound, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15],
          a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31], a[32],
          a[33], a[34], a[35], a[36], a[37], a[38], a[39]);
  team[global].has_ended = 1;
}

static void begin(struct Member *member) {
  if (member->stack == NULL)
    member->stack = malloc(STACK);
  if (member->stack == NULL || getcontext(&member->place) != 0)
    fail("no memory for the stack of a thread");
  member->place.uc_stack.ss_sp = member->stack;
  member->place.uc_stack.ss_size = STACK;
  member->place.uc_link = &outside;
  member->has_ended = 0;
  makecontext(&member->place, run_region, 0);
}

// Lets each thread run to its next barrier; returns the number of threads that have ended.
static int32_t run_phase(void) {
  int32_t ended = 0;
  for (int32_t next = 0; next < threads; next++) {
    turn(phase, next);
    if (swapcontext(&outside, &team[next].place) != 0)
      fail("a thread cannot run");
    ended += team[next].has_ended;
  }
  return ended;
}

void __kmpc_fork_call(void *place, int32_t count, Region *region, ...) {
  (void)place;
  if (is_parallel || count > ARGUMENTS)
    fail(is_parallel ? "a parallel region in a parallel region" : "too many variables are shared");
  va_list list;
  va_start(list, region);
  for (int32_t argument = 0; argument < count; argument++)
    shared[argument] = va_arg(list, void *);
  va_end(list);
  running = region;
  if (team == NULL)
    team = calloc((size_t)threads, sizeof *team);
  if (team == NULL)
    fail("no memory for a team of threads");
  for (int32_t member = 0; member < threads; member++)
    begin(&team[member]);
  is_parallel = 1;
  int32_t ended;
  do {
    phase++;
    ended = run_phase();
    if (ended != 0 && ended != threads)
      fail("threads that wait for one that has ended");
  } while (ended == 0);
  is_parallel = 0;
  turn(phase + 1, 0);
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
  schedule &= ~MONOTONIC;
  if (schedule == STATIC_CHUNKED)
    return (struct Share){chunk * thread, chunk, chunk * threads};
  if (schedule != STATIC)
    fail("a schedule that is not static");
  int64_t each = count / threads, more = count % threads;
  return (struct Share){each * thread + (thread < more ? thread : more), each + (thread < more), count};
}

// The lower and the upper bound of the loop become those of the thread's first block, which is empty if the upper one is less.
// Clang counts iterations from 0. It may compare bounds without a sign, so the upper bound must not wrap around: in a block without
// iterations at 0 the lower one is raised.
#define STATIC_INIT(suffix, integer, sized)                                                                                       \
  void __kmpc_for_static_init_##suffix(void *place, int32_t global, int32_t schedule, int32_t *is_last, integer *lower,            \
                                       integer *upper, sized *stride, sized step, sized chunk) {                                   \
    (void)place, (void)is_last;                                                                                                    \
    struct Share own = share(global, schedule, (int64_t)*upper - (int64_t)*lower + 1, step, chunk);                                \
    int64_t first = (int64_t)*lower + own.first, last = first + own.length - 1;                                                    \
    *lower = (integer)(first + (last < 0));                                                                                        \
    *upper = (integer)(last + (last < 0));                                                                                         \
    *stride = (sized)own.stride;                                                                                                   \
  }

STATIC_INIT(4, int32_t, int32_t)
STATIC_INIT(4u, uint32_t, int32_t)
STATIC_INIT(8, int64_t, int64_t)
STATIC_INIT(8u, uint64_t, int64_t)

void __kmpc_for_static_fini(void *place, int32_t global) { (void)place, (void)global; }

void __kmpc_barrier(void *place, int32_t global) {
  (void)place;
  if (global != thread || !is_parallel)
    fail("a barrier of another thread, or outside of a region");
  if (swapcontext(&team[global].place, &outside) != 0)
    fail("a thread cannot wait");
}

int32_t __kmpc_single(void *place, int32_t global) {
  (void)place;
  return global == 0;
}

void __kmpc_end_single(void *place, int32_t global) { (void)place, (void)global; }

int32_t __kmpc_master(void *place, int32_t global) {
  (void)place;
  return global == 0;
}

void __kmpc_end_master(void *place, int32_t global) { (void)place, (void)global; }

// Each thread adds its part to the variable itself, without a barrier.
int32_t __kmpc_reduce_nowait(void *place, int32_t global, int32_t count, size_t bytes, void *data, void (*add)(void *, void *),
                             void *lock) {
  (void)place, (void)global, (void)count, (void)bytes, (void)data, (void)add, (void)lock;
  return 1;
}

void __kmpc_end_reduce_nowait(void *place, int32_t global, void *lock) { (void)place, (void)global, (void)lock; }
