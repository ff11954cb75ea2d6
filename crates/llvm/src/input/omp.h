/* OpenMP's functions for one thread, which takes everything one after the other. */
#ifndef SYMLOC_OMP_H
#define SYMLOC_OMP_H

typedef enum { omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto } omp_sched_t;
typedef enum {
  omp_proc_bind_false,
  omp_proc_bind_true,
  omp_proc_bind_master,
  omp_proc_bind_close,
  omp_proc_bind_spread
} omp_proc_bind_t;
typedef enum { omp_sync_hint_none, omp_sync_hint_uncontended, omp_sync_hint_contended } omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;
typedef struct {
  void *unused;
} omp_lock_t;
typedef struct {
  void *unused;
} omp_nest_lock_t;

#ifdef __cplusplus
extern "C" {
#endif
double omp_get_wtime(void);
double omp_get_wtick(void);
#ifdef __cplusplus
}
#endif

#define SYMLOC_OMP_GET(type, name, value) \
  static __inline type name(void) { \
    return value; \
  }
#define SYMLOC_OMP_SET(name, type) \
  static __inline void name(type value) { \
    (void)value; \
  }

SYMLOC_OMP_GET(int, omp_get_num_threads, 1)
SYMLOC_OMP_GET(int, omp_get_max_threads, 1)
SYMLOC_OMP_GET(int, omp_get_thread_num, 0)
SYMLOC_OMP_GET(int, omp_get_num_procs, 1)
SYMLOC_OMP_GET(int, omp_get_thread_limit, 1)
SYMLOC_OMP_GET(int, omp_in_parallel, 0)
SYMLOC_OMP_GET(int, omp_in_final, 0)
SYMLOC_OMP_GET(int, omp_get_dynamic, 0)
SYMLOC_OMP_GET(int, omp_get_nested, 0)
SYMLOC_OMP_GET(int, omp_get_level, 0)
SYMLOC_OMP_GET(int, omp_get_active_level, 0)
SYMLOC_OMP_GET(int, omp_get_max_active_levels, 1)
SYMLOC_OMP_GET(int, omp_get_num_teams, 1)
SYMLOC_OMP_GET(int, omp_get_team_num, 0)
SYMLOC_OMP_GET(int, omp_get_num_devices, 0)
SYMLOC_OMP_GET(int, omp_get_default_device, 0)
SYMLOC_OMP_GET(int, omp_get_initial_device, 0)
SYMLOC_OMP_GET(int, omp_is_initial_device, 1)
SYMLOC_OMP_GET(int, omp_get_cancellation, 0)
SYMLOC_OMP_GET(int, omp_get_num_places, 1)
SYMLOC_OMP_GET(omp_proc_bind_t, omp_get_proc_bind, omp_proc_bind_false)
SYMLOC_OMP_SET(omp_set_num_threads, int)
SYMLOC_OMP_SET(omp_set_dynamic, int)
SYMLOC_OMP_SET(omp_set_nested, int)
SYMLOC_OMP_SET(omp_set_max_active_levels, int)
SYMLOC_OMP_SET(omp_set_default_device, int)
SYMLOC_OMP_SET(omp_init_lock, omp_lock_t *)
SYMLOC_OMP_SET(omp_set_lock, omp_lock_t *)
SYMLOC_OMP_SET(omp_unset_lock, omp_lock_t *)
SYMLOC_OMP_SET(omp_destroy_lock, omp_lock_t *)
SYMLOC_OMP_SET(omp_init_nest_lock, omp_nest_lock_t *)
SYMLOC_OMP_SET(omp_set_nest_lock, omp_nest_lock_t *)
SYMLOC_OMP_SET(omp_unset_nest_lock, omp_nest_lock_t *)
SYMLOC_OMP_SET(omp_destroy_nest_lock, omp_nest_lock_t *)

static __inline int omp_test_lock(omp_lock_t *lock) {
  (void)lock;
  return 1;
}
static __inline void omp_set_schedule(omp_sched_t kind, int chunk) {
  (void)kind;
  (void)chunk;
}
static __inline void omp_get_schedule(omp_sched_t *kind, int *chunk) {
  *kind = omp_sched_static;
  *chunk = 0;
}

#undef SYMLOC_OMP_GET
#undef SYMLOC_OMP_SET
#endif
