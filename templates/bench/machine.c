/* What a core of this machine can do: each function returns nanoseconds of this thread for one unit of work. */
#define _GNU_SOURCE

#include <math.h>
#include <stddef.h>
#include <time.h>

/* Keeps what is computed into arrays, and makes them unknown. */
#define USE(a, b) __asm__ volatile("" : : "r"(a), "r"(b) : "memory")

#if defined(__AVX512F__)
#define WIDTH 8
#elif defined(__AVX__)
#define WIDTH 4
#else
#define WIDTH 2
#endif

enum { CHAINS = 12, ANGLES = 1024 };

typedef double pair __attribute__((vector_size(16)));
typedef double vector __attribute__((vector_size(8 * WIDTH)));

static volatile double sink;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int machine_width(void) { return WIDTH; }

/* Nanoseconds of a fused multiply-add in a lane of vectors, in as many independent chains as hide its latency. */
#define MULTIPLY_ADDS(name, type, lanes)                        \
    double name(long repeats)                                   \
    {                                                           \
        type x[CHAINS], factor, term;                           \
        for (int j = 0; j < (lanes); j++) {                     \
            factor[j] = 1.0000001;                              \
            term[j] = 1e-9;                                     \
        }                                                       \
        for (int k = 0; k < CHAINS; k++) {                      \
            x[k] = term * (double)k;                            \
        }                                                       \
        const double begin = now();                             \
        for (long i = 0; i < repeats; i++) {                    \
            _Pragma("GCC unroll 12")                            \
            for (int k = 0; k < CHAINS; k++) {                  \
                x[k] = x[k] * factor + term;                    \
            }                                                   \
        }                                                       \
        const double time = now() - begin;                      \
        for (int k = 0; k < CHAINS; k++) {                      \
            sink = x[k][0];                                     \
        }                                                       \
        return time / (double)(repeats * CHAINS * (lanes));     \
    }

/* In narrow vectors it slows down when another thread shares the core or the clock drops, and so tells whether a
 * measurement beside it was disturbed. */
MULTIPLY_ADDS(machine_narrow, pair, 2)
MULTIPLY_ADDS(machine_wide, vector, WIDTH)

static double angles[ANGLES], sines[ANGLES], cosines[ANGLES];

static void set_angles(void)
{
    USE(angles, angles);
    for (int k = 0; k < ANGLES; k++) {
        angles[k] = 6.0 * k / ANGLES - 3.0;
    }
}

/* A sine and a cosine of one angle, one angle after the other. */
double machine_sincos(long repeats)
{
    set_angles();
    const double begin = now();
    for (long i = 0; i < repeats; i++) {
        for (int k = 0; k < ANGLES; k++) {
            sines[k] = sin(angles[k]);
            cosines[k] = cos(angles[k]);
            USE(sines, cosines);
        }
    }
    return (now() - begin) / (double)(repeats * ANGLES);
}

/* The same in vectors, where the C library has such functions (this file is compiled so that loops use them). */
double machine_vector_sincos(long repeats)
{
    set_angles();
    const double begin = now();
    for (long i = 0; i < repeats; i++) {
        for (int k = 0; k < ANGLES; k++) {
            sines[k] = sin(angles[k]);
        }
        for (int k = 0; k < ANGLES; k++) {
            cosines[k] = cos(angles[k]);
        }
        USE(sines, cosines);
    }
    return (now() - begin) / (double)(repeats * ANGLES);
}

/* Moving one number: three arrays of `count` are read, and one is written. */
double machine_traffic(long repeats, long count, const double *a, const double *b, const double *c, double *out)
{
    const double begin = now();
    for (long i = 0; i < repeats; i++) {
        for (long k = 0; k < count; k++) {
            out[k] = a[k] * b[k] + c[k];
        }
        USE(a, out);
    }
    return (now() - begin) / (double)(4 * repeats * count);
}
