/* fmi3.c: the functions of the Functional Mock-up Interface 3.0, model exchange and co-simulation. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void LogCallback(void *environment, int status, const char *category, const char *message);

#include "fmu.h"

#ifdef FMI3_FUNCTION_PREFIX
#define NAMED(name) FMU_PREFIXED(FMI3_FUNCTION_PREFIX, name)
#else
#define NAMED(name) name
#endif
/* A function of the standard: its status is an int, whose values are those of `Status`. */
#define FMI(name) FMU_EXPORT int NAMED(name)

typedef unsigned Reference;

static void deliver(const Instance *instance, Status status, const char *category, const char *text)
{
    instance->log(instance->environment, (int)status, category, text);
}

FMU_EXPORT const char *NAMED(fmi3GetVersion)(void)
{
    return "3.0";
}

FMI(fmi3SetDebugLogging)(void *instance, bool logging, size_t count, const char *const *categories)
{
    /* Errors are always told, and there is nothing else to tell. */
    (void)logging;
    if (!allowed(instance, ANY_MODE, __func__))
        return STATUS_ERROR;
    return (int)category_check(instance, count, categories, __func__);
}

/* instances ----------------------------------------------------------------------------------------- */

FMU_EXPORT void *NAMED(fmi3InstantiateModelExchange)(const char *name, const char *token, const char *resources,
    bool visible, bool logging, void *environment, LogCallback *log)
{
    (void)resources, (void)visible, (void)logging;
    return instantiate(name, token, 0, log, environment);
}

FMU_EXPORT void *NAMED(fmi3InstantiateCoSimulation)(const char *name, const char *token, const char *resources,
    bool visible, bool logging, bool event_mode, bool early_return, const Reference *intermediate, size_t count,
    void *environment, LogCallback *log,
    void (*update)(void *, double, bool, bool, bool, bool, bool *, double *))
{
    (void)resources, (void)visible, (void)logging, (void)early_return, (void)intermediate, (void)update;
    if (event_mode || count > 0) {
        if (log != NULL)
            log(environment, STATUS_ERROR, "logStatusError",
                "fmi3InstantiateCoSimulation: this FMU has neither an event mode nor intermediate variables");
        return NULL;
    }
    return instantiate(name, token, 1, log, environment);
}

FMU_EXPORT void *NAMED(fmi3InstantiateScheduledExecution)(const char *name, const char *token, const char *resources,
    bool visible, bool logging, void *environment, LogCallback *log, void (*update)(void *), void (*lock)(void),
    void (*unlock)(void))
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    (void)update, (void)lock, (void)unlock;
    if (log != NULL)
        log(environment, STATUS_ERROR, "logStatusError",
            "fmi3InstantiateScheduledExecution: this FMU is for model exchange and co-simulation");
    return NULL;
}

FMU_EXPORT void NAMED(fmi3FreeInstance)(void *instance)
{
    free(instance);
}

FMI(fmi3EnterInitializationMode)(
    void *instance, bool has_tolerance, double tolerance, double start, bool has_stop, double stop)
{
    Status status = set_experiment(instance, has_tolerance, tolerance, start, has_stop, stop, __func__);
    return (int)(status == STATUS_OK ? change_mode(instance, INSTANTIATED, INITIALIZATION, __func__) : status);
}

FMI(fmi3ExitInitializationMode)(void *instance)
{
    int next = instance != NULL && ((Instance *)instance)->co_simulation ? STEP : EVENT;
    return (int)leave_initialization(instance, next, __func__);
}

FMI(fmi3EnterEventMode)(void *instance)
{
    return (int)change_mode(instance, CONTINUOUS, EVENT, __func__);
}

FMI(fmi3Terminate)(void *instance)
{
    return (int)change_mode(instance, RUNNING, TERMINATED, __func__);
}

FMI(fmi3Reset)(void *instance)
{
    if (!allowed(instance, ANY_MODE, __func__))
        return STATUS_ERROR;
    set_up(instance);
    return STATUS_OK;
}

/* variables ----------------------------------------------------------------------------------------- */

FMI(fmi3GetFloat64)(void *instance, const Reference references[], size_t count, double values[], size_t size)
{
    if (instance != NULL && size != count)
        return (int)tell(instance, STATUS_ERROR, "%s: expected %u values, found %u", __func__, (unsigned)count,
            (unsigned)size);
    return (int)get_values(instance, references, count, values, __func__);
}

FMI(fmi3SetFloat64)(void *instance, const Reference references[], size_t count, const double values[], size_t size)
{
    if (instance != NULL && size != count)
        return (int)tell(instance, STATUS_ERROR, "%s: expected %u values, found %u", __func__, (unsigned)count,
            (unsigned)size);
    return (int)set_values(instance, references, count, values, __func__);
}

#define NO_VARIABLES(Type, type)                                                                             \
    FMI(fmi3Get##Type)(void *instance, const Reference references[], size_t count, type values[], size_t size) \
    {                                                                                                        \
        (void)references, (void)values, (void)size;                                                          \
        return (int)none_of_type(instance, count, __func__);                                                 \
    }                                                                                                        \
    FMI(fmi3Set##Type)(void *instance, const Reference references[], size_t count, const type values[], size_t size) \
    {                                                                                                        \
        (void)references, (void)values, (void)size;                                                          \
        return (int)none_of_type(instance, count, __func__);                                                 \
    }

NO_VARIABLES(Float32, float)
NO_VARIABLES(Int8, int8_t)
NO_VARIABLES(UInt8, uint8_t)
NO_VARIABLES(Int16, int16_t)
NO_VARIABLES(UInt16, uint16_t)
NO_VARIABLES(Int32, int32_t)
NO_VARIABLES(UInt32, uint32_t)
NO_VARIABLES(Int64, int64_t)
NO_VARIABLES(UInt64, uint64_t)
NO_VARIABLES(Boolean, bool)

typedef const char *Text;
NO_VARIABLES(String, Text)

FMI(fmi3GetBinary)(void *instance, const Reference references[], size_t count, size_t sizes[],
    const uint8_t *values[], size_t size)
{
    (void)references, (void)sizes, (void)values, (void)size;
    return (int)none_of_type(instance, count, __func__);
}

FMI(fmi3SetBinary)(void *instance, const Reference references[], size_t count, const size_t sizes[],
    const uint8_t *const values[], size_t size)
{
    (void)references, (void)sizes, (void)values, (void)size;
    return (int)none_of_type(instance, count, __func__);
}

FMI(fmi3GetClock)(void *instance, const Reference references[], size_t count, bool values[])
{
    (void)references, (void)values;
    return (int)none_of_type(instance, count, __func__);
}

FMI(fmi3SetClock)(void *instance, const Reference references[], size_t count, const bool values[])
{
    (void)references, (void)values;
    return (int)none_of_type(instance, count, __func__);
}

/* stored states ------------------------------------------------------------------------------------- */

FMI(fmi3GetFMUState)(void *instance, void **state)
{
    return (int)store(instance, state, __func__);
}

FMI(fmi3SetFMUState)(void *instance, void *state)
{
    return (int)restore(instance, state, __func__);
}

FMI(fmi3FreeFMUState)(void *instance, void **state)
{
    return (int)forget(instance, state, __func__);
}

FMI(fmi3SerializedFMUStateSize)(void *instance, void *state, size_t *size)
{
    return (int)stored_size(instance, state, size, __func__);
}

FMI(fmi3SerializeFMUState)(void *instance, void *state, uint8_t bytes[], size_t size)
{
    return (int)copied(instance, bytes, state, size, __func__);
}

FMI(fmi3DeserializeFMUState)(void *instance, const uint8_t bytes[], size_t size, void **state)
{
    Status status = store(instance, state, __func__);
    return (int)(status == STATUS_OK ? copied(instance, *state, bytes, size, __func__) : status);
}

/* model exchange ------------------------------------------------------------------------------------ */

FMI(fmi3UpdateDiscreteStates)(void *instance, bool *again, bool *terminate, bool *nominals, bool *values,
    bool *has_next, double *next)
{
    if (!allowed(instance, EVENT, __func__))
        return STATUS_ERROR;
    *again = *terminate = *nominals = *has_next = false;
    *next = 0;
    *values = update_states(instance);
    return STATUS_OK;
}

FMI(fmi3EnterContinuousTimeMode)(void *instance)
{
    return (int)change_mode(instance, EVENT, CONTINUOUS, __func__);
}

FMI(fmi3CompletedIntegratorStep)(void *instance, bool no_return, bool *event, bool *terminate)
{
    (void)no_return;
    if (!allowed(instance, CONTINUOUS, __func__))
        return STATUS_ERROR;
    *event = has_drifted(instance);
    *terminate = false;
    return STATUS_OK;
}

FMI(fmi3SetTime)(void *instance, double time)
{
    return (int)set_time(instance, time, __func__);
}

FMI(fmi3SetContinuousStates)(void *instance, const double states[], size_t count)
{
    return (int)set_states(instance, states, count, __func__);
}

FMI(fmi3GetContinuousStates)(void *instance, double states[], size_t count)
{
    return (int)get_states(instance, states, count, __func__);
}

FMI(fmi3GetContinuousStateDerivatives)(void *instance, double rates[], size_t count)
{
    return (int)get_rates(instance, rates, count, __func__);
}

FMI(fmi3GetNominalsOfContinuousStates)(void *instance, double nominals[], size_t count)
{
    return (int)get_nominals(instance, nominals, count, __func__);
}

FMI(fmi3GetNumberOfContinuousStates)(void *instance, size_t *count)
{
    *count = NX;
    return instance == NULL ? STATUS_ERROR : STATUS_OK;
}

FMI(fmi3GetNumberOfEventIndicators)(void *instance, size_t *count)
{
    *count = 0;
    return instance == NULL ? STATUS_ERROR : STATUS_OK;
}

FMI(fmi3GetEventIndicators)(void *instance, double indicators[], size_t count)
{
    (void)indicators;
    return count == 0 && instance != NULL ? STATUS_OK : (int)unsupported(instance, __func__);
}

/* co-simulation ------------------------------------------------------------------------------------- */

FMI(fmi3DoStep)(void *instance, double time, double size, bool no_return, bool *event, bool *terminate, bool *early,
    double *last)
{
    (void)no_return;
    Status status = do_step(instance, time, size, __func__);
    if (instance == NULL)
        return STATUS_ERROR;
    *event = *terminate = *early = false;
    *last = ((Instance *)instance)->model.values[TIME];
    return (int)status;
}

/* what this FMU does not offer ---------------------------------------------------------------------- */

#define UNSUPPORTED(name, ...)                          \
    FMI(name)(void *instance, __VA_ARGS__)              \
    {                                                   \
        return (int)unsupported(instance, __func__);    \
    }
#define UNSUPPORTED_MODE(name)                          \
    FMI(name)(void *instance)                           \
    {                                                   \
        return (int)unsupported(instance, __func__);    \
    }

#if defined __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

UNSUPPORTED_MODE(fmi3EnterStepMode)
UNSUPPORTED_MODE(fmi3EnterConfigurationMode)
UNSUPPORTED_MODE(fmi3ExitConfigurationMode)
UNSUPPORTED_MODE(fmi3EvaluateDiscreteStates)
UNSUPPORTED(fmi3GetNumberOfVariableDependencies, Reference reference, size_t *count)
UNSUPPORTED(fmi3GetVariableDependencies, Reference dependent, size_t elements[], Reference independents[],
    size_t others[], int kinds[], size_t count)
UNSUPPORTED(fmi3GetDirectionalDerivative, const Reference unknowns[], size_t rows, const Reference knowns[],
    size_t columns, const double seed[], size_t seeds, double result[], size_t size)
UNSUPPORTED(fmi3GetAdjointDerivative, const Reference unknowns[], size_t rows, const Reference knowns[],
    size_t columns, const double seed[], size_t seeds, double result[], size_t size)
UNSUPPORTED(fmi3GetOutputDerivatives, const Reference references[], size_t count, const int32_t orders[],
    double values[], size_t size)
UNSUPPORTED(fmi3ActivateModelPartition, Reference clock, double time)
UNSUPPORTED(fmi3GetIntervalDecimal, const Reference clocks[], size_t count, double intervals[], int qualifiers[])
UNSUPPORTED(fmi3GetIntervalFraction, const Reference clocks[], size_t count, uint64_t counters[],
    uint64_t resolutions[], int qualifiers[])
UNSUPPORTED(fmi3GetShiftDecimal, const Reference clocks[], size_t count, double shifts[])
UNSUPPORTED(fmi3GetShiftFraction, const Reference clocks[], size_t count, uint64_t counters[], uint64_t resolutions[])
UNSUPPORTED(fmi3SetIntervalDecimal, const Reference clocks[], size_t count, const double intervals[])
UNSUPPORTED(fmi3SetIntervalFraction, const Reference clocks[], size_t count, const uint64_t counters[],
    const uint64_t resolutions[])
UNSUPPORTED(fmi3SetShiftDecimal, const Reference clocks[], size_t count, const double shifts[])
UNSUPPORTED(fmi3SetShiftFraction, const Reference clocks[], size_t count, const uint64_t counters[],
    const uint64_t resolutions[])
