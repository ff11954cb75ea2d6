// Calls a function that tells what it accesses, and writes that to standard output.
//
// Arguments: bytes of memory on either side of each pointer, the largest number of accesses, and the integers that the
// function asks for, by number. A record has three words: an address; bytes of an element, or how many bytes are filled or
// copied; and the number of the site with two bits below it: a write (1), a block (2). A copy is two records: a block that is
// read, and one that is written. The first records have all bits but these set: where memory lies that is handed out, and where variables do.

#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// How it ends, if not well.
enum { TOO_LONG = 65, NO_MEMORY = 66, OUTSIDE = 67, TRAPPED = 68, STOPPED = 69 };
enum { WRITE = 1, BLOCK = 2, RECORDS = 4096, PAGE = 4096 };
static const uint64_t HANDED_OUT = ~UINT64_C(3);

void symloc_entry(void);

static int trace;
static uint64_t records[RECORDS][3];
static unsigned pending;
static uint64_t room, limit, accesses;
static char **integers;

static void flush(void) {
  const char *bytes = (const char *)records;
  size_t left = pending * sizeof records[0];
  while (left > 0) {
    ssize_t written = write(trace, bytes, left);
    if (written <= 0)
      _exit(EXIT_FAILURE);
    bytes += written;
    left -= (size_t)written;
  }
  pending = 0;
}

static void record(uint64_t address, uint64_t bytes, uint64_t site) {
  records[pending][0] = address;
  records[pending][1] = bytes;
  records[pending][2] = site;
  if (++pending == RECORDS)
    flush();
}

static void end(int status) {
  flush();
  _exit(status);
}

static void count(uint64_t more) {
  accesses += more;
  if (accesses > limit)
    end(TOO_LONG);
}

void symloc_access(const char *address, uint64_t bytes, uint64_t lanes, uint64_t write, uint64_t site) {
  count(lanes);
  for (uint64_t lane = 0; lane < lanes; lane++)
    record((uintptr_t)(address + lane * bytes), bytes, site << 2 | write);
}

void symloc_bulk(const char *to, const char *from, uint64_t bytes, uint64_t site) {
  if (bytes == 0)
    return;
  count(1);
  if (from != NULL)
    record((uintptr_t)from, bytes, site << 2 | BLOCK);
  record((uintptr_t)to, bytes, site << 2 | BLOCK | WRITE);
}

int64_t symloc_integer(uint64_t which) { return strtoll(integers[which], NULL, 10); }

static char *zeros(uint64_t bytes) {
  void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    end(NO_MEMORY);
  return start;
}

void *symloc_memory(uint64_t which) {
  (void)which;
  char *start = zeros(2 * room) + room;
  record((uintptr_t)start, 0, HANDED_OUT);
  return start;
}

void symloc_variable(const char *start) { record((uintptr_t)start, 0, HANDED_OUT); }

void symloc_stop(void) { end(STOPPED); }

// What an allocation has had and given back is what it gets next, as in a loop that allocates one buffer.
struct Block {
  void *site;
  uint64_t bytes;
  char *start;
  int is_free;
  struct Block *next;
};

static struct Block *blocks;

static void *allocate(void *site, uint64_t bytes) {
  for (struct Block *block = blocks; block != NULL; block = block->next) {
    if (block->is_free && block->site == site && block->bytes == bytes) {
      block->is_free = 0;
      return memset(block->start, 0, bytes);
    }
  }
  struct Block *block = malloc(sizeof *block);
  if (block == NULL)
    end(NO_MEMORY);
  *block = (struct Block){site, bytes, zeros(bytes + PAGE), 0, blocks};
  blocks = block;
  return block->start;
}

void *symloc_malloc(uint64_t bytes) { return allocate(__builtin_return_address(0), bytes); }
void *symloc_calloc(uint64_t count, uint64_t bytes) { return allocate(__builtin_return_address(0), count * bytes); }
void *symloc_aligned_alloc(uint64_t alignment, uint64_t bytes) {
  (void)alignment;
  return allocate(__builtin_return_address(0), bytes);
}

void symloc_free(void *start) {
  for (struct Block *block = blocks; block != NULL; block = block->next)
    block->is_free |= block->start == start;
}

static void died(int signal) { end(signal == SIGFPE || signal == SIGILL || signal == SIGABRT ? TRAPPED : OUTSIDE); }

int main(int arguments, char **values) {
  if (arguments < 3)
    return EXIT_FAILURE;
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  room = (strtoull(values[1], NULL, 10) + PAGE - 1) / PAGE * PAGE;
  limit = strtoull(values[2], NULL, 10);
  integers = values + 3;
  // What the program prints is of no interest.
  trace = dup(STDOUT_FILENO);
  if (trace < 0 || freopen("/dev/null", "w", stdout) == NULL)
    return EXIT_FAILURE;
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  struct sigaction action = {.sa_handler = died, .sa_flags = SA_ONSTACK};
  int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++)
    sigaction(signals[i], &action, NULL);
  symloc_entry();
  end(EXIT_SUCCESS);
}
