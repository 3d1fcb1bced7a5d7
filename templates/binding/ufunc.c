/* ---- the generalized ufunc ---- */

/* Fewer states than FEW are taken one by one; so many as a TILE go through buffers together. */
enum { FEW = 4, TILE = 64 };

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

/* Columns of `states` states, TILE apart, of a core in any layout, and back. */
static void gather_tile(const Core *core, const npy_intp *strides, npy_intp step, npy_intp states, const char *from,
                        real *to)
{
    npy_intp index[MAX_RANK] = {0};
    npy_intp offset = 0;
    for (npy_intp k = 0; k < core->size; k++, to += TILE) {
        for (npy_intp s = 0; s < states; s++) {
            memcpy(&to[s], from + offset + s * step, sizeof(real));
        }
        offset = advance(core, strides, index, offset);
    }
}

static void scatter_tile(const Core *core, const npy_intp *strides, npy_intp step, npy_intp states, const real *from,
                         char *to)
{
    npy_intp index[MAX_RANK] = {0};
    npy_intp offset = 0;
    for (npy_intp k = 0; k < core->size; k++, from += TILE) {
        if (step == (npy_intp)sizeof(real)) {
            memcpy(to + offset, from, (size_t)states * sizeof(real));
        } else {
            for (npy_intp s = 0; s < states; s++) {
                memcpy(to + offset + s * step, &from[s], sizeof(real));
            }
        }
        offset = advance(core, strides, index, offset);
    }
}

/* A tile at a time, in which arguments that are not `reached` lie in `room`, column by column. */
static void in_tiles(const Spec *spec, char **args, npy_intp count, const npy_intp *steps, const int *reached,
                     ptrdiff_t *step, ptrdiff_t *stride, real *room)
{
    const int arguments = spec->inputs + spec->outputs;
    const npy_intp *strides[MAX_ARGUMENTS];
    real *a[MAX_ARGUMENTS];
    real *column[MAX_ARGUMENTS];

    const npy_intp *next = steps + arguments;
    for (int k = 0; k < arguments; k++) {
        strides[k] = next;
        next += spec->cores[k].rank;
        column[k] = room;
        if (!reached[k]) {
            step[k] = 1;
            stride[k] = TILE;
            room += TILE * spec->cores[k].size;
        }
    }
    for (npy_intp first = 0; first < count; first += TILE) {
        const npy_intp states = count - first < TILE ? count - first : TILE;
        for (int k = 0; k < arguments; k++) {
            char *at = args[k] + first * steps[k];
            a[k] = reached[k] ? (real *)(void *)at : column[k];
            if (!reached[k] && k < spec->inputs) {
                gather_tile(&spec->cores[k], strides[k], steps[k], states, at, column[k]);
            }
        }
        spec->batch((size_t)states, a, step, stride);
        for (int k = spec->inputs; k < arguments; k++) {
            if (!reached[k]) {
                scatter_tile(&spec->cores[k], strides[k], steps[k], states, column[k], args[k] + first * steps[k]);
            }
        }
    }
}

/* Many states at once; whether it was done. The batched function reads and writes arrays whose entries lie at equal
 * distances; others, such as matrices in Fortran's order, go through tiles. Every function reads a few states, then
 * writes their results: outputs may be inputs exactly.
 */
static int done_as_batch(const Spec *spec, char **args, npy_intp count, const npy_intp *steps)
{
    const int arguments = spec->inputs + spec->outputs;
    const npy_intp *strides = steps + arguments;
    real *a[MAX_ARGUMENTS];
    ptrdiff_t step[MAX_ARGUMENTS];
    ptrdiff_t stride[MAX_ARGUMENTS];
    int reached[MAX_ARGUMENTS];
    npy_intp others = 0;

    if (spec->batch == NULL || count < FEW) {
        return 0;
    }
    for (int k = 0; k < arguments; k++) {
        const Core *core = &spec->cores[k];
        const int is_constants = spec->takes_constants && k == spec->inputs - 1;
        if (is_constants && (steps[k] != 0 || !is_contiguous(core, strides))) {
            return 0;
        }
        reached[k] = steps[k] % (npy_intp)sizeof(real) == 0 && has_stride(core, strides, &stride[k]);
        others += reached[k] ? 0 : core->size;
        a[k] = (real *)(void *)args[k];
        step[k] = steps[k] / (npy_intp)sizeof(real);
        strides += core->rank;
    }
    if (others == 0) {
        spec->batch((size_t)count, a, step, stride);
        return 1;
    }
    real *room = malloc((size_t)(TILE * others) * sizeof(real));
    if (room == NULL) {
        return 0;
    }
    in_tiles(spec, args, count, steps, reached, step, stride, room);
    free(room);
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
