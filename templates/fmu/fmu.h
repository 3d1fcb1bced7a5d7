/* fmu.h: an instance of the robot's model: its values, what may be done with them, and the solver of co-simulation.
 *
 * Included once, by the file of the interface (fmi2.c or fmi3.c), which says how messages are delivered. The values of an
 * instance are one array in the order of the value references: time, states, their rates, inputs, parameters, results.
 */
#ifndef FMU_H
#define FMU_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_model.h"

#if defined _WIN32
#define FMU_EXPORT __declspec(dllexport)
#elif defined __GNUC__
#define FMU_EXPORT __attribute__((visibility("default")))
#else
#define FMU_EXPORT
#endif
#define FMU_PASTED(prefix, name) prefix##name
#define FMU_PREFIXED(prefix, name) FMU_PASTED(prefix, name)

/* The numbers are those of both versions of the standard. */
typedef enum { STATUS_OK, STATUS_WARNING, STATUS_DISCARD, STATUS_ERROR, STATUS_FATAL } Status;

/* Modes of an instance, as bits of a set. */
enum { INSTANTIATED = 1, INITIALIZATION = 2, EVENT = 4, CONTINUOUS = 8, STEP = 16, TERMINATED = 32 };
enum { RUNNING = EVENT | CONTINUOUS | STEP, ANY_MODE = 63 };

/* What can be stored and restored: no pointers. */
typedef struct {
    double values[N_VALUES];
    Constants constants;
    int constants_stale, rates_stale, results_stale;
    int mode;
    double tolerance; /* relative, and absolute in SI units */
    double step;      /* that the solver would try next; 0 before the first */
    double stop;      /* infinite if none is set */
} Model;

typedef struct {
    Model model;
    int co_simulation;
    Model before;            /* the step of co-simulation that is being done */
    double start[NX];        /* states where the solver's step begins */
    double slopes[STAGES][NX];
    LogCallback *log;
    void *environment;
    char name[1]; /* as long as it is */
} Instance;

static void deliver(const Instance *instance, Status status, const char *category, const char *text);

/* messages ------------------------------------------------------------------------------------------ */

static Status tell(const Instance *instance, Status status, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (instance->log != NULL)
        deliver(instance, status, status == STATUS_DISCARD ? "logStatusDiscard" : "logStatusError", text);
    return status;
}

static const char *mode_name(int mode)
{
    switch (mode) {
    case INSTANTIATED: return "Instantiated";
    case INITIALIZATION: return "Initialization Mode";
    case EVENT: return "Event Mode";
    case CONTINUOUS: return "Continuous-Time Mode";
    case STEP: return "Step Mode";
    default: return "Terminated";
    }
}

/* Whether `function` may be called now. */
static int allowed(const Instance *instance, int modes, const char *function)
{
    if (instance == NULL)
        return 0;
    if (instance->model.mode & modes)
        return 1;
    tell(instance, STATUS_ERROR, "%s: not allowed in %s", function, mode_name(instance->model.mode));
    return 0;
}

static Status unsupported(const Instance *instance, const char *function)
{
    return instance == NULL ? STATUS_ERROR : tell(instance, STATUS_ERROR, "%s: this FMU does not offer it", function);
}

/* Of types of which there are no variables only none can be asked for. */
static Status none_of_type(const Instance *instance, size_t count, const char *function)
{
    if (instance == NULL)
        return STATUS_ERROR;
    return count == 0 ? STATUS_OK
                      : tell(instance, STATUS_ERROR, "%s: all variables are real numbers of 64 bits", function);
}

static Status category_check(const Instance *instance, size_t count, const char *const *names, const char *function)
{
    for (size_t i = 0; i < count; ++i)
        if (names == NULL || names[i] == NULL
            || (strcmp(names[i], "logStatusError") != 0 && strcmp(names[i], "logStatusDiscard") != 0))
            return tell(instance, STATUS_ERROR, "%s: expected the categories logStatusError or logStatusDiscard, found %s",
                function, names == NULL || names[i] == NULL ? "nothing" : names[i]);
    return STATUS_OK;
}

/* an instance --------------------------------------------------------------------------------------- */

static void set_up(Instance *instance)
{
    Model *model = &instance->model;
    memset(model, 0, sizeof *model);
    memcpy(model->values, start_values, sizeof start_values);
    model->constants_stale = model->rates_stale = model->results_stale = 1;
    model->mode = INSTANTIATED;
    model->tolerance = DEFAULT_TOLERANCE;
    model->stop = HUGE_VAL;
}

/* NULL if the token is that of another FMU, or if there is no memory. */
static Instance *instantiate(
    const char *name, const char *token, int co_simulation, LogCallback *log, void *environment)
{
    const char *known = name == NULL ? "" : name;
    Instance *instance = calloc(1, sizeof *instance + strlen(known));
    if (instance == NULL)
        return NULL;
    memcpy(instance->name, known, strlen(known) + 1);
    instance->log = log;
    instance->environment = environment;
    instance->co_simulation = co_simulation;
    set_up(instance);
    if (known[0] == '\0')
        tell(instance, STATUS_ERROR, "instantiate: expected a name of the instance, found none");
    else if (token == NULL || strcmp(token, TOKEN) != 0)
        tell(instance, STATUS_ERROR, "instantiate: expected the token %s of this FMU's modelDescription.xml, found %s",
            TOKEN, token == NULL ? "none" : token);
    else
        return instance;
    free(instance);
    return NULL;
}

/* The rates of the states, up to date; whether all are numbers. */
static int refresh_rates(Model *model)
{
    if (model->constants_stale)
        make_constants(model->values, &model->constants);
    if (model->constants_stale || model->rates_stale)
        compute_rates(model->values, &model->constants);
    model->constants_stale = model->rates_stale = 0;
    for (int i = 0; i < NX; ++i)
        if (!isfinite(model->values[RATES + i]))
            return 0;
    return 1;
}

static int refresh_results(Model *model)
{
    if (model->constants_stale)
        make_constants(model->values, &model->constants);
    model->rates_stale |= model->constants_stale;
    model->constants_stale = 0;
    if (model->results_stale)
        compute_results(model->values, &model->constants);
    model->results_stale = 0;
    for (int i = RESULTS; i < N_VALUES; ++i)
        if (!isfinite(model->values[i]))
            return 0;
    return 1;
}

static void touched(Model *model)
{
    model->rates_stale = model->results_stale = 1;
}

static Status not_finite(const Instance *instance, const char *function)
{
    return tell(instance, STATUS_DISCARD,
        "%s: at t = %g the rates or results are no numbers: states too large, or parameters that no body can have",
        function, instance->model.values[TIME]);
}

static Status get_values(
    Instance *instance, const unsigned *references, size_t count, double *values, const char *function)
{
    if (!allowed(instance, ANY_MODE, function))
        return STATUS_ERROR;
    if (count > 0 && (references == NULL || values == NULL))
        return tell(instance, STATUS_ERROR, "%s: expected arrays, found a null pointer", function);
    for (size_t i = 0; i < count; ++i) {
        unsigned reference = references[i];
        if (reference >= N_VALUES)
            return tell(instance, STATUS_ERROR, "%s: expected value references below %d, found %u", function, N_VALUES,
                reference);
        int is_rate = reference >= RATES && reference < INPUTS;
        int is_result = reference >= RESULTS;
        if ((is_rate && !refresh_rates(&instance->model)) || (is_result && !refresh_results(&instance->model)))
            return not_finite(instance, function);
        values[i] = instance->model.values[reference];
    }
    return STATUS_OK;
}

/* In which modes a variable can be set. */
static int settable(unsigned reference)
{
    if (reference >= STATES && reference < RATES)
        return INSTANTIATED | INITIALIZATION;
    if (reference >= INPUTS && reference < PARAMETERS)
        return INSTANTIATED | INITIALIZATION | RUNNING;
    if (reference >= PARAMETERS && reference < RESULTS)
        return INSTANTIATED | INITIALIZATION | EVENT | STEP;
    return 0;
}

/* All or none: nothing is set if one of them cannot be. */
static Status set_values(
    Instance *instance, const unsigned *references, size_t count, const double *values, const char *function)
{
    if (!allowed(instance, ANY_MODE & ~TERMINATED, function))
        return STATUS_ERROR;
    if (count > 0 && (references == NULL || values == NULL))
        return tell(instance, STATUS_ERROR, "%s: expected arrays, found a null pointer", function);
    Model *model = &instance->model;
    for (size_t i = 0; i < count; ++i) {
        if (references[i] >= N_VALUES)
            return tell(instance, STATUS_ERROR, "%s: expected value references below %d, found %u", function, N_VALUES,
                references[i]);
        const char *name = variable_names[references[i]];
        if (!(settable(references[i]) & model->mode))
            return tell(instance, STATUS_ERROR, "%s: %s cannot be set in %s", function, name, mode_name(model->mode));
        if (!isfinite(values[i]))
            return tell(instance, STATUS_ERROR, "%s: %s: expected a finite number, found %g", function, name, values[i]);
        if (values[i] < least_values[references[i]])
            return tell(instance, STATUS_ERROR, "%s: %s: expected at least %g, found %g", function, name,
                least_values[references[i]], values[i]);
    }
    for (size_t i = 0; i < count; ++i) {
        model->values[references[i]] = values[i];
        model->constants_stale |= references[i] >= PARAMETERS;
    }
    if (count > 0)
        touched(model);
    return STATUS_OK;
}

/* initialization ------------------------------------------------------------------------------------ */

static Status set_experiment(
    Instance *instance, int has_tolerance, double tolerance, double start, int has_stop, double stop, const char *function)
{
    if (!allowed(instance, INSTANTIATED, function))
        return STATUS_ERROR;
    if (has_tolerance && !(tolerance > 0 && tolerance < 1))
        return tell(instance, STATUS_ERROR, "%s: expected a tolerance between 0 and 1, found %g", function, tolerance);
    if (!isfinite(start) || (has_stop && !(stop >= start)))
        return tell(instance, STATUS_ERROR, "%s: expected finite times in order, found start %g, stop %g", function, start,
            has_stop ? stop : HUGE_VAL);
    Model *model = &instance->model;
    if (has_tolerance)
        model->tolerance = tolerance < LEAST_TOLERANCE ? LEAST_TOLERANCE : tolerance;
    model->values[TIME] = start;
    model->stop = has_stop ? stop : HUGE_VAL;
    return STATUS_OK;
}

static Status leave_initialization(Instance *instance, int next, const char *function)
{
    if (!allowed(instance, INITIALIZATION, function))
        return STATUS_ERROR;
    if (!isfinite(off_unit(instance->model.values)))
        return tell(instance, STATUS_ERROR, "%s: expected quaternions of a length other than 0", function);
    normalise(instance->model.values);
    touched(&instance->model);
    if (!refresh_rates(&instance->model)) {
        not_finite(instance, function);
        return STATUS_ERROR;
    }
    instance->model.mode = next;
    return STATUS_OK;
}

static Status change_mode(Instance *instance, int from, int to, const char *function)
{
    if (!allowed(instance, from, function))
        return STATUS_ERROR;
    instance->model.mode = to;
    return STATUS_OK;
}

/* model exchange ------------------------------------------------------------------------------------ */

static Status set_time(Instance *instance, double time, const char *function)
{
    if (!allowed(instance, EVENT | CONTINUOUS, function))
        return STATUS_ERROR;
    if (!isfinite(time))
        return tell(instance, STATUS_ERROR, "%s: expected a finite time, found %g", function, time);
    instance->model.values[TIME] = time;
    return STATUS_OK;
}

static Status sized(const Instance *instance, int modes, const void *array, size_t count, const char *function)
{
    if (!allowed(instance, modes, function))
        return STATUS_ERROR;
    if (count != NX || array == NULL)
        return tell(instance, STATUS_ERROR, "%s: expected an array for %d states, found %u", function, NX,
            array == NULL ? 0U : (unsigned)count);
    return STATUS_OK;
}

static Status set_states(Instance *instance, const double *states, size_t count, const char *function)
{
    if (sized(instance, CONTINUOUS, states, count, function) != STATUS_OK)
        return STATUS_ERROR;
    for (int i = 0; i < NX; ++i)
        if (!isfinite(states[i]))
            return tell(instance, STATUS_ERROR, "%s: %s: expected a finite number, found %g", function,
                variable_names[STATES + i], states[i]);
    memcpy(instance->model.values + STATES, states, NX * sizeof *states);
    touched(&instance->model);
    return STATUS_OK;
}

static Status get_states(Instance *instance, double *states, size_t count, const char *function)
{
    if (sized(instance, ANY_MODE & ~INSTANTIATED, states, count, function) != STATUS_OK)
        return STATUS_ERROR;
    memcpy(states, instance->model.values + STATES, NX * sizeof *states);
    return STATUS_OK;
}

static Status get_rates(Instance *instance, double *rates, size_t count, const char *function)
{
    if (sized(instance, ANY_MODE & ~INSTANTIATED, rates, count, function) != STATUS_OK)
        return STATUS_ERROR;
    if (!refresh_rates(&instance->model))
        return not_finite(instance, function);
    memcpy(rates, instance->model.values + RATES, NX * sizeof *rates);
    return STATUS_OK;
}

static Status get_nominals(Instance *instance, double *nominals, size_t count, const char *function)
{
    if (sized(instance, ANY_MODE & ~INSTANTIATED, nominals, count, function) != STATUS_OK)
        return STATUS_ERROR;
    for (int i = 0; i < NX; ++i)
        nominals[i] = 1;
    return STATUS_OK;
}

/* States may change at events only: one is asked for where a quaternion has drifted from length 1. */
static int has_drifted(const Instance *instance)
{
    return off_unit(instance->model.values) > DRIFT;
}

/* Whether the states have changed. */
static int update_states(Instance *instance)
{
    if (!has_drifted(instance))
        return 0;
    normalise(instance->model.values);
    touched(&instance->model);
    return 1;
}

/* co-simulation: Verner's Runge-Kutta pair of orders 6 and 5 ------------------------------------------ */

/* A size of the error against the tolerance: a step is good where it is at most 1. */
static double scaled_error(const Model *model, const double *from, const double *difference, const double *to)
{
    double sum = 0;
    for (int i = 0; i < NX; ++i) {
        double size = fmax(fabs(from[i]), fabs(to[i]));
        double part = difference[i] / (model->tolerance * (1 + size));
        sum += part * part;
    }
    return sqrt(sum / NX);
}

static double first_step(const Instance *instance)
{
    const double *states = instance->model.values + STATES, *rates = instance->model.values + RATES;
    double size = scaled_error(&instance->model, states, states, states);
    double speed = scaled_error(&instance->model, states, rates, states);
    return size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
}

/* The states a time h after `start`; the error's size, infinite where rates are no numbers. */
static double try_step(Instance *instance, double h)
{
    Model *model = &instance->model;
    double *states = model->values + STATES;
    double error[NX];
    for (int stage = 0; stage < STAGES; ++stage) {
        for (int i = 0; i < NX; ++i) {
            double sum = 0;
            for (int k = 0; k < stage; ++k)
                sum += stage_weights[stage][k] * instance->slopes[k][i];
            states[i] = instance->start[i] + h * sum;
        }
        touched(model);
        if (!refresh_rates(model))
            return HUGE_VAL;
        memcpy(instance->slopes[stage], model->values + RATES, sizeof instance->slopes[stage]);
    }
    for (int i = 0; i < NX; ++i) {
        double sum = 0, off = 0;
        for (int k = 0; k < STAGES; ++k) {
            sum += weights[k] * instance->slopes[k][i];
            off += error_weights[k] * instance->slopes[k][i];
        }
        states[i] = instance->start[i] + h * sum;
        error[i] = h * off;
    }
    touched(model);
    double size = scaled_error(model, instance->start, error, states);
    return isfinite(size) ? size : HUGE_VAL;
}

/* Integrate up to `end`; whether that was possible. */
static int integrate(Instance *instance, double end)
{
    Model *model = &instance->model;
    if (!refresh_rates(model))
        return 0;
    if (model->step <= 0)
        model->step = first_step(instance);
    int rejected = 0;
    while (model->values[TIME] < end) {
        double time = model->values[TIME], left = end - time;
        int last = model->step >= left * (1 - 1e-10);
        double h = last ? left : model->step;
        memcpy(instance->start, model->values + STATES, sizeof instance->start);
        double error = try_step(instance, h);
        double factor = error > 0 ? 0.9 * pow(error, -1.0 / 6) : 5;
        factor = fmin(fmax(factor, 0.2), rejected ? 1 : 5);
        rejected = !(error <= 1);
        if (rejected) {
            memcpy(model->values + STATES, instance->start, sizeof instance->start);
            touched(model);
            model->step = h * factor;
            if (time + model->step / 16 <= time)
                return 0;
            continue;
        }
        model->values[TIME] = last ? end : time + h;
        /* A step cut short by the end says little about those that come. */
        model->step = last ? fmax(model->step, h * factor) : h * factor;
    }
    return 1;
}

/* A step of co-simulation; if it fails, all is as before. */
static Status do_step(Instance *instance, double time, double size, const char *function)
{
    if (!allowed(instance, STEP, function))
        return STATUS_ERROR;
    Model *model = &instance->model;
    double now = model->values[TIME];
    if (!isfinite(time) || fabs(time - now) > 1e-9 * (1 + fabs(now)))
        return tell(instance, STATUS_ERROR, "%s: expected the current communication point %.17g, found %.17g", function,
            now, time);
    if (!isfinite(size) || size <= 0)
        return tell(instance, STATUS_ERROR, "%s: expected a positive communication step size, found %g", function, size);
    if (time + size > model->stop + 1e-9 * (1 + fabs(model->stop)))
        return tell(instance, STATUS_ERROR, "%s: expected steps up to the stop time %g, found one to %.17g", function,
            model->stop, time + size);
    instance->before = *model;
    model->values[TIME] = time;
    if (!integrate(instance, time + size)) {
        double reached = model->values[TIME];
        *model = instance->before;
        return tell(instance, STATUS_DISCARD,
            "%s: the step from t = %g by %g fails at t = %g: motion too fast for the tolerance, or states too large",
            function, time, size, reached);
    }
    normalise(model->values);
    touched(model);
    return STATUS_OK;
}

/* stored states ------------------------------------------------------------------------------------- */

static Status store(const Instance *instance, void **place, const char *function)
{
    if (!allowed(instance, ANY_MODE, function))
        return STATUS_ERROR;
    if (place == NULL)
        return tell(instance, STATUS_ERROR, "%s: expected a place for the state, found a null pointer", function);
    if (*place == NULL)
        *place = malloc(sizeof(Model));
    if (*place == NULL)
        return tell(instance, STATUS_ERROR, "%s: there is no memory", function);
    memcpy(*place, &instance->model, sizeof(Model));
    return STATUS_OK;
}

static Status restore(Instance *instance, const void *place, const char *function)
{
    if (!allowed(instance, ANY_MODE, function))
        return STATUS_ERROR;
    if (place == NULL)
        return tell(instance, STATUS_ERROR, "%s: expected a stored state, found a null pointer", function);
    memcpy(&instance->model, place, sizeof(Model));
    return STATUS_OK;
}

static Status forget(const Instance *instance, void **place, const char *function)
{
    if (!allowed(instance, ANY_MODE, function))
        return STATUS_ERROR;
    if (place != NULL) {
        free(*place);
        *place = NULL;
    }
    return STATUS_OK;
}

static Status stored_size(const Instance *instance, const void *place, size_t *size, const char *function)
{
    if (!allowed(instance, ANY_MODE, function))
        return STATUS_ERROR;
    if (place == NULL || size == NULL)
        return tell(instance, STATUS_ERROR, "%s: expected a stored state, found a null pointer", function);
    *size = sizeof(Model);
    return STATUS_OK;
}

/* Bytes of a stored state to another place, in either direction. */
static Status copied(
    const Instance *instance, void *to, const void *from, size_t size, const char *function)
{
    if (!allowed(instance, ANY_MODE, function))
        return STATUS_ERROR;
    if (to == NULL || from == NULL || size != sizeof(Model))
        return tell(instance, STATUS_ERROR, "%s: expected a state of %u bytes, found %u", function,
            (unsigned)sizeof(Model), (unsigned)size);
    memcpy(to, from, sizeof(Model));
    return STATUS_OK;
}

#endif
