/* A clock of the day that is off by SHIFT seconds: put in front of a program by the
   dynamic linker. Clocks that only measure how long something takes stay as they are. Of the processors those are
   counted that the program may use, and not all that the machine has, unless ALL_PROCESSORS is defined. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void change(struct timespec *now)
{
    now->tv_sec += SHIFT;
}

#ifndef ALL_PROCESSORS
int get_nprocs(void)
{
    cpu_set_t usable;
    return sched_getaffinity(0, sizeof usable, &usable) ? 1 : CPU_COUNT(&usable);
}

int get_nprocs_conf(void)
{
    return get_nprocs();
}

long sysconf(int name)
{
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
        return get_nprocs();
    long (*found)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    return found ? found(name) : -1;
}
#endif

int clock_gettime(clockid_t clock, struct timespec *now)
{
    long failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI))
        change(now);
    return (int)failed;
}

int timespec_get(struct timespec *now, int base)
{
    return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, now) ? base : 0;
}

int gettimeofday(struct timeval *now, void *zone)
{
    struct timespec found;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now)
{
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now)
        *now = found.tv_sec;
    return found.tv_sec;
}
