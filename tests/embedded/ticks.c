/* Instructions of a call, counted by the system timer, and the bytes of stack that it touches with what it calls. */
#include "robot.h"

#include <stdint.h>
#include <stdio.h>

#define CONTROL (*(volatile uint32_t *)0xE000E010)
#define RELOAD (*(volatile uint32_t *)0xE000E014)
#define VALUE (*(volatile uint32_t *)0xE000E018)

enum { CALLS = 200, DEPTH = 4096, ROOM = 128, PAINT = 0x5A };

static float q[ROBOT_N], qd[ROBOT_N], qdd[ROBOT_N], tau[ROBOT_N];

static void __attribute__((noinline)) call(void)
{
    ROBOT_CALL(q, qd, qdd, tau);
}

/* The bytes from the deepest that a call has touched to the frame of main. */
static unsigned depth(volatile unsigned char *frame)
{
    volatile unsigned char *deepest = frame - DEPTH;
    while (deepest < frame && *deepest == PAINT) {
        deepest++;
    }
    return (unsigned)(frame - deepest);
}

int main(void)
{
    for (int k = 0; k < ROBOT_N; k++) {
        q[k] = 0.3f*(float)k - 0.7f;
        qd[k] = 0.5f - 0.2f*(float)k;
        qdd[k] = 0.1f*(float)k;
    }
    RELOAD = 0xFFFFFF;
    VALUE = 0;
    CONTROL = 5;
    const uint32_t begin = VALUE;
    for (int k = 0; k < CALLS; k++) {
        call();
    }
    const uint32_t ticks = (begin - VALUE) & 0xFFFFFF;
    volatile unsigned char *const frame = (volatile unsigned char *)__builtin_frame_address(0) - ROOM;
    for (int k = 1; k <= DEPTH; k++) {
        frame[-k] = PAINT;
    }
    call();
    printf("%lu ticks, %u bytes\n", (unsigned long)ticks/CALLS, depth(frame) + ROOM);
    return 0;
}
