/* ---- the generalized ufunc ---- */

static int is_contiguous(const Core *core, const npy_intp *strides)
{
    npy_intp expected = (npy_intp)sizeof(real);
    for (int axis = core->rank - 1; axis >= 0; axis--) {
        if (core->shape[axis] != 1 && strides[axis] != expected) {
            return 0;
        }
        expected *= core->shape[axis];
    }
    return 1;
}

/* The byte offset of the element after the one at `index`, in row-major order; advances `index`. */
static npy_intp advance(const Core *core, const npy_intp *strides, npy_intp *index, npy_intp offset)
{
    for (int axis = core->rank - 1; axis >= 0; axis--) {
        offset += strides[axis];
        if (++index[axis] < core->shape[axis]) {
            break;
        }
        offset -= index[axis] * strides[axis];
        index[axis] = 0;
    }
    return offset;
}

static void gather(const Core *core, const npy_intp *strides, const char *from, real *to)
{
    npy_intp index[MAX_RANK] = {0};
    npy_intp offset = 0;
    for (npy_intp k = 0; k < core->size; k++) {
        memcpy(&to[k], from + offset, sizeof(real));
        offset = advance(core, strides, index, offset);
    }
}

static void scatter(const Core *core, const npy_intp *strides, const real *from, char *to)
{
    npy_intp index[MAX_RANK] = {0};
    npy_intp offset = 0;
    for (npy_intp k = 0; k < core->size; k++) {
        memcpy(to + offset, &from[k], sizeof(real));
        offset = advance(core, strides, index, offset);
    }
}

static int overlaps(const char *one, const Core *one_core, const char *other, const Core *other_core)
{
    const npy_uintp one_start = (npy_uintp)one;
    const npy_uintp other_start = (npy_uintp)other;
    return one_start < other_start + (npy_uintp)other_core->size * sizeof(real)
        && other_start < one_start + (npy_uintp)one_core->size * sizeof(real);
}

/* NumPy copies operands which overlap, except an output which is one of the inputs exactly: it takes a
 * loop to read each element before writing it. The C functions do not, and their pointers are restrict.
 */
static int is_an_input(const Spec *spec, char *const *args, int output)
{
    for (int k = 0; k < spec->inputs; k++) {
        if (overlaps(args[output], &spec->cores[output], args[k], &spec->cores[k])) {
            return 1;
        }
    }
    return 0;
}

/* Whether the entries of a core lie at equal distances; `stride` becomes that, in numbers. */
static int has_stride(const Core *core, const npy_intp *strides, ptrdiff_t *stride)
{
    npy_intp expected = 0;
    *stride = 0;
    for (int axis = core->rank - 1; axis >= 0; axis--) {
        if (core->shape[axis] == 1) {
            continue;
        }
        if (expected == 0) {
            *stride = strides[axis] / (npy_intp)sizeof(real);
            expected = strides[axis];
        } else if (strides[axis] != expected) {
            return 0;
        }
        if (strides[axis] % (npy_intp)sizeof(real) != 0) {
            return 0;
        }
        expected *= core->shape[axis];
    }
    return 1;
}

/* Many states at once, if the arrays lie so that the batched function can read them; whether it was done.
 * Every function reads a few states, then writes their results: outputs may be inputs exactly. */
static int done_as_batch(const Spec *spec, char **args, npy_intp count, const npy_intp *steps)
{
    enum { FEW = 4 };
    const int arguments = spec->inputs + spec->outputs;
    const npy_intp *strides = steps + arguments;
    real *a[MAX_ARGUMENTS];
    ptrdiff_t step[MAX_ARGUMENTS];
    ptrdiff_t stride[MAX_ARGUMENTS];

    if (spec->batch == NULL || count < FEW) {
        return 0;
    }
    for (int k = 0; k < arguments; k++) {
        const Core *core = &spec->cores[k];
        const int is_constants = spec->takes_constants && k == spec->inputs - 1;
        if (steps[k] % (npy_intp)sizeof(real) != 0 || !has_stride(core, strides, &stride[k])) {
            return 0;
        }
        if (is_constants && (steps[k] != 0 || !is_contiguous(core, strides))) {
            return 0;
        }
        a[k] = (real *)(void *)args[k];
        step[k] = steps[k] / (npy_intp)sizeof(real);
        strides += core->rank;
    }
    spec->batch((size_t)count, a, step, stride);
    return 1;
}

static void one_by_one(const Spec *spec, char **args, npy_intp count, const npy_intp *steps)
{
    const int arguments = spec->inputs + spec->outputs;
    const npy_intp *strides[MAX_ARGUMENTS];
    int direct[MAX_ARGUMENTS];
    real *local[MAX_ARGUMENTS];
    real *a[MAX_ARGUMENTS];
    real buffer[MAX_REALS];

    const npy_intp *next_strides = steps + arguments;
    real *next_local = buffer;
    for (int k = 0; k < arguments; k++) {
        const Core *core = &spec->cores[k];
        strides[k] = next_strides;
        local[k] = next_local;
        direct[k] = is_contiguous(core, strides[k]) && (k < spec->inputs || !is_an_input(spec, args, k));
        next_strides += core->rank;
        next_local += core->size;
    }
    for (npy_intp item = 0; item < count; item++) {
        for (int k = 0; k < arguments; k++) {
            char *at = args[k] + item * steps[k];
            a[k] = direct[k] ? (real *)(void *)at : local[k];
            if (!direct[k] && k < spec->inputs) {
                gather(&spec->cores[k], strides[k], at, local[k]);
            }
        }
        spec->call(a);
        for (int k = spec->inputs; k < arguments; k++) {
            if (!direct[k]) {
                scatter(&spec->cores[k], strides[k], local[k], args[k] + item * steps[k]);
            }
        }
    }
}

/* The inner loop of every function; `data` is its Spec. Needs no Python, so NumPy releases the GIL. */
static void inner_loop(char **args, const npy_intp *dimensions, const npy_intp *steps, void *data)
{
    const Spec *spec = data;
    if (!done_as_batch(spec, args, dimensions[0], steps)) {
        one_by_one(spec, args, dimensions[0], steps);
    }
    /* NaN and infinity pass through in silence, as they do on the direct way: no RuntimeWarning. */
    feclearexcept(FE_ALL_EXCEPT);
}

static PyObject *new_ufunc(int k)
{
    /* NumPy keeps these pointers for as long as the ufunc lives. */
    static PyUFuncGenericFunction loops[1] = {inner_loop};
    static void *data[FUNCTIONS][1];
    static char types[MAX_ARGUMENTS];

    const Spec *spec = &specs[k];
    memset(types, REAL, sizeof types);
    data[k][0] = (void *)spec;
    return PyUFunc_FromFuncAndDataAndSignature(loops, data[k], types, 1, spec->inputs, spec->outputs,
                                               PyUFunc_None, spec->qualified_name, spec->summary, 0,
                                               spec->signature);
}
