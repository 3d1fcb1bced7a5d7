/* control_loop.c: a 1 kHz loop that drives the PUMA to a posture: PD control with gravity compensation.
 *
 *     symgen generate puma --output build/puma
 *     cc -std=c99 -O2 -Ibuild/puma notebooks/control_loop.c build/puma/puma.c -lm -o build/control_loop
 *     build/control_loop 3                # 3 simulated seconds, as fast as the machine can
 *     build/control_loop 3 --real-time    # paced by the clock
 *
 * On a real arm `read_sensors` and `write_torques` talk to the drives, and the simulation at the end goes away.
 */
#define _POSIX_C_SOURCE 200809L

#include "puma.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = PUMA_NV, RATE = 1000 /* Hz */ };

static const double PERIOD = 1.0 / RATE;                                  /* s */
static const double GOAL[N] = {0.6, -0.9, 0.7, -0.5, 0.8, 1.0};           /* rad */
static const double BANDWIDTH = 5.0;                                      /* rad/s */

/* ---- the controller ------------------------------------------------------------------------------- */

/* Gains of critically damped joints: the diagonal of the inertia matrix says how heavy each one is. */
static void choose_gains(const double *q, double *stiffness, double *damping)
{
    double inertia[N * N];
    puma_inertia_matrix(q, inertia);
    for (int i = 0; i < N; i++) {
        stiffness[i] = inertia[i * N + i] * BANDWIDTH * BANDWIDTH;
        damping[i] = inertia[i * N + i] * BANDWIDTH * 2.0;
    }
}

static void control(const double *q, const double *qd, const double *stiffness, const double *damping, double *tau)
{
    puma_gravity_torque(q, tau);
    for (int i = 0; i < N; i++) {
        tau[i] += stiffness[i] * (GOAL[i] - q[i]) - damping[i] * qd[i];
    }
}

/* ---- the arm, simulated --------------------------------------------------------------------------- */

typedef struct {
    double q[N];
    double qd[N];
} State;

static State arm;
static double torques[N];

static void read_sensors(double *q, double *qd)
{
    memcpy(q, arm.q, sizeof arm.q);
    memcpy(qd, arm.qd, sizeof arm.qd);
}

static void write_torques(const double *tau)
{
    memcpy(torques, tau, sizeof torques);
}

/* The state a time h after `state`, at constant rates `slope`. */
static State moved(const State *state, const State *slope, double h)
{
    State result;
    for (int i = 0; i < N; i++) {
        result.q[i] = state->q[i] + h * slope->q[i];
        result.qd[i] = state->qd[i] + h * slope->qd[i];
    }
    return result;
}

static State rates(const State *state)
{
    State slope;
    memcpy(slope.q, state->qd, sizeof slope.q);
    puma_forward_dynamics(state->q, state->qd, torques, slope.qd);
    return slope;
}

/* One period under constant torques, by Runge and Kutta's classical method. */
static void simulate(void)
{
    const State k1 = rates(&arm);
    const State s2 = moved(&arm, &k1, PERIOD / 2.0), k2 = rates(&s2);
    const State s3 = moved(&arm, &k2, PERIOD / 2.0), k3 = rates(&s3);
    const State s4 = moved(&arm, &k3, PERIOD), k4 = rates(&s4);
    for (int i = 0; i < N; i++) {
        arm.q[i] += PERIOD / 6.0 * (k1.q[i] + 2.0 * k2.q[i] + 2.0 * k3.q[i] + k4.q[i]);
        arm.qd[i] += PERIOD / 6.0 * (k1.qd[i] + 2.0 * k2.qd[i] + 2.0 * k3.qd[i] + k4.qd[i]);
    }
}

/* ---- the loop --------------------------------------------------------------------------------------- */

/* Sleep until the next period begins; a late period does not delay those after it. */
static void wait_for(struct timespec *next)
{
    next->tv_nsec += 1000000000L / RATE;
    if (next->tv_nsec >= 1000000000L) {
        next->tv_nsec -= 1000000000L;
        next->tv_sec += 1;
    }
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL) == EINTR) {
    }
}

static double largest_error(void)
{
    double largest = 0.0;
    for (int i = 0; i < N; i++) {
        largest = fmax(largest, fabs(GOAL[i] - arm.q[i]));
    }
    return largest;
}

int main(int count, char **words)
{
    const int seconds = count > 1 ? atoi(words[1]) : 3;
    const int real_time = count > 2 && strcmp(words[2], "--real-time") == 0;
    double q[N], qd[N], tau[N] = {0.0}, stiffness[N], damping[N];
    struct timespec next;

    clock_gettime(CLOCK_MONOTONIC, &next);
    choose_gains(arm.q, stiffness, damping);
    printf("t (s)   largest error (rad)   torque of joint 2 (N m)\n");
    for (int period = 0; period <= seconds * RATE; period++) {
        read_sensors(q, qd);
        control(q, qd, stiffness, damping, tau);
        write_torques(tau);
        if (period % RATE == 0) {
            printf("%5d %21.6f %25.3f\n", period / RATE, largest_error(), tau[1]);
            fflush(stdout);
        }
        simulate();
        if (real_time) {
            wait_for(&next);
        }
    }
    return EXIT_SUCCESS;
}
