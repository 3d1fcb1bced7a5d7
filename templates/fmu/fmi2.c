/* fmi2.c: the functions of the Functional Mock-up Interface 2.0, model exchange and co-simulation. */
#include <stddef.h>

typedef void LogCallback(
    void *environment, const char *instance, int status, const char *category, const char *message, ...);

#include "fmu.h"

#ifdef FMI2_FUNCTION_PREFIX
#define NAMED(name) FMU_PREFIXED(FMI2_FUNCTION_PREFIX, name)
#else
#define NAMED(name) name
#endif
/* A function of the standard: its status is an int, whose values are those of `Status`; booleans are ints too. */
#define FMI(name) FMU_EXPORT int NAMED(name)

typedef unsigned Reference;

/* What an importer offers: of it only the log is used, memory is the C library's. */
typedef struct {
    LogCallback *log;
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *memory);
    void (*finished)(void *environment, int status);
    void *environment;
} Callbacks;

typedef struct {
    int again, terminate, nominals, values, has_next;
    double next;
} EventInfo;

static void deliver(const Instance *instance, Status status, const char *category, const char *text)
{
    instance->log(instance->environment, instance->name, (int)status, category, "%s", text);
}

FMU_EXPORT const char *NAMED(fmi2GetTypesPlatform)(void)
{
    return "default";
}

FMU_EXPORT const char *NAMED(fmi2GetVersion)(void)
{
    return "2.0";
}

FMI(fmi2SetDebugLogging)(void *instance, int logging, size_t count, const char *const categories[])
{
    /* Errors are always told, and there is nothing else to tell. */
    (void)logging;
    if (!allowed(instance, ANY_MODE, __func__))
        return STATUS_ERROR;
    return (int)category_check(instance, count, categories, __func__);
}

/* instances ----------------------------------------------------------------------------------------- */

FMU_EXPORT void *NAMED(fmi2Instantiate)(const char *name, int kind, const char *token, const char *resources,
    const Callbacks *callbacks, int visible, int logging)
{
    (void)resources, (void)visible, (void)logging;
    LogCallback *log = callbacks == NULL ? NULL : callbacks->log;
    return instantiate(name, token, kind == 1, log, callbacks == NULL ? NULL : callbacks->environment);
}

FMU_EXPORT void NAMED(fmi2FreeInstance)(void *instance)
{
    free(instance);
}

FMI(fmi2SetupExperiment)(void *instance, int has_tolerance, double tolerance, double start, int has_stop, double stop)
{
    return (int)set_experiment(instance, has_tolerance, tolerance, start, has_stop, stop, __func__);
}

FMI(fmi2EnterInitializationMode)(void *instance)
{
    return (int)change_mode(instance, INSTANTIATED, INITIALIZATION, __func__);
}

FMI(fmi2ExitInitializationMode)(void *instance)
{
    int next = instance != NULL && ((Instance *)instance)->co_simulation ? STEP : EVENT;
    return (int)leave_initialization(instance, next, __func__);
}

FMI(fmi2Terminate)(void *instance)
{
    return (int)change_mode(instance, RUNNING, TERMINATED, __func__);
}

FMI(fmi2Reset)(void *instance)
{
    if (!allowed(instance, ANY_MODE, __func__))
        return STATUS_ERROR;
    set_up(instance);
    return STATUS_OK;
}

/* variables ----------------------------------------------------------------------------------------- */

FMI(fmi2GetReal)(void *instance, const Reference references[], size_t count, double values[])
{
    return (int)get_values(instance, references, count, values, __func__);
}

FMI(fmi2SetReal)(void *instance, const Reference references[], size_t count, const double values[])
{
    return (int)set_values(instance, references, count, values, __func__);
}

#define NO_VARIABLES(Type, type)                                                                  \
    FMI(fmi2Get##Type)(void *instance, const Reference references[], size_t count, type values[])       \
    {                                                                                             \
        (void)references, (void)values;                                                           \
        return (int)none_of_type(instance, count, __func__);                                      \
    }                                                                                             \
    FMI(fmi2Set##Type)(void *instance, const Reference references[], size_t count, const type values[]) \
    {                                                                                             \
        (void)references, (void)values;                                                           \
        return (int)none_of_type(instance, count, __func__);                                      \
    }

typedef const char *Text;
NO_VARIABLES(Integer, int)
NO_VARIABLES(Boolean, int)
NO_VARIABLES(String, Text)

/* stored states ------------------------------------------------------------------------------------- */

FMI(fmi2GetFMUstate)(void *instance, void **state)
{
    return (int)store(instance, state, __func__);
}

FMI(fmi2SetFMUstate)(void *instance, void *state)
{
    return (int)restore(instance, state, __func__);
}

FMI(fmi2FreeFMUstate)(void *instance, void **state)
{
    return (int)forget(instance, state, __func__);
}

FMI(fmi2SerializedFMUstateSize)(void *instance, void *state, size_t *size)
{
    return (int)stored_size(instance, state, size, __func__);
}

FMI(fmi2SerializeFMUstate)(void *instance, void *state, char bytes[], size_t size)
{
    return (int)copied(instance, bytes, state, size, __func__);
}

FMI(fmi2DeSerializeFMUstate)(void *instance, const char bytes[], size_t size, void **state)
{
    Status status = store(instance, state, __func__);
    return (int)(status == STATUS_OK ? copied(instance, *state, bytes, size, __func__) : status);
}

/* model exchange ------------------------------------------------------------------------------------ */

FMI(fmi2EnterEventMode)(void *instance)
{
    return (int)change_mode(instance, CONTINUOUS, EVENT, __func__);
}

FMI(fmi2NewDiscreteStates)(void *instance, EventInfo *info)
{
    if (!allowed(instance, EVENT, __func__))
        return STATUS_ERROR;
    memset(info, 0, sizeof *info);
    info->values = update_states(instance);
    return STATUS_OK;
}

FMI(fmi2EnterContinuousTimeMode)(void *instance)
{
    return (int)change_mode(instance, EVENT, CONTINUOUS, __func__);
}

FMI(fmi2CompletedIntegratorStep)(void *instance, int no_return, int *event, int *terminate)
{
    (void)no_return;
    if (!allowed(instance, CONTINUOUS, __func__))
        return STATUS_ERROR;
    *event = has_drifted(instance);
    *terminate = 0;
    return STATUS_OK;
}

FMI(fmi2SetTime)(void *instance, double time)
{
    return (int)set_time(instance, time, __func__);
}

FMI(fmi2SetContinuousStates)(void *instance, const double states[], size_t count)
{
    return (int)set_states(instance, states, count, __func__);
}

FMI(fmi2GetContinuousStates)(void *instance, double states[], size_t count)
{
    return (int)get_states(instance, states, count, __func__);
}

FMI(fmi2GetDerivatives)(void *instance, double rates[], size_t count)
{
    return (int)get_rates(instance, rates, count, __func__);
}

FMI(fmi2GetNominalsOfContinuousStates)(void *instance, double nominals[], size_t count)
{
    return (int)get_nominals(instance, nominals, count, __func__);
}

FMI(fmi2GetEventIndicators)(void *instance, double indicators[], size_t count)
{
    (void)indicators;
    return count == 0 && instance != NULL ? STATUS_OK : (int)unsupported(instance, __func__);
}

/* co-simulation ------------------------------------------------------------------------------------- */

FMI(fmi2DoStep)(void *instance, double time, double size, int no_return)
{
    (void)no_return;
    return (int)do_step(instance, time, size, __func__);
}

/* Kind 2 asks up to which time the last step succeeded. */
FMI(fmi2GetRealStatus)(void *instance, int kind, double *value)
{
    if (!allowed(instance, STEP, __func__))
        return STATUS_ERROR;
    if (kind != 2)
        return (int)unsupported(instance, __func__);
    *value = ((Instance *)instance)->model.values[TIME];
    return STATUS_OK;
}

/* what this FMU does not offer ---------------------------------------------------------------------- */

#define UNSUPPORTED(name, ...)                          \
    FMI(name)(void *instance, __VA_ARGS__)              \
    {                                                   \
        return (int)unsupported(instance, __func__);    \
    }

#if defined __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

UNSUPPORTED(fmi2GetDirectionalDerivative, const Reference unknowns[], size_t rows, const Reference knowns[],
    size_t columns, const double seed[], double result[])
UNSUPPORTED(fmi2SetRealInputDerivatives, const Reference references[], size_t count, const int orders[],
    const double values[])
UNSUPPORTED(fmi2GetRealOutputDerivatives, const Reference references[], size_t count, const int orders[],
    double values[])
UNSUPPORTED(fmi2GetStatus, int kind, int *value)
UNSUPPORTED(fmi2GetIntegerStatus, int kind, int *value)
UNSUPPORTED(fmi2GetBooleanStatus, int kind, int *value)
UNSUPPORTED(fmi2GetStringStatus, int kind, const char **value)

FMI(fmi2CancelStep)(void *instance)
{
    return (int)unsupported(instance, __func__);
}
