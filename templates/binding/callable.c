/* ---- the callable ---- */

/* `bound` are the constants of every call, a copy of our own; NULL where callers give all inputs. */
typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    const Spec *spec;
    real *bound;
    PyObject *slow;
    PyObject *dict;
    PyObject *weak_references;
} Function;

static int is_plain(PyObject *object, const Core *core)
{
    if (!PyArray_CheckExact(object)) {
        return 0;
    }
    PyArrayObject *array = (PyArrayObject *)object;
    if (PyArray_TYPE(array) != REAL || PyArray_NDIM(array) != core->rank
        || !PyArray_ISCARRAY_RO(array)) {
        return 0;
    }
    for (int axis = 0; axis < core->rank; axis++) {
        if (PyArray_DIM(array, axis) != core->shape[axis]) {
            return 0;
        }
    }
    return 1;
}

/* A new array for output `k`, its data in a[k]. */
static PyObject *new_output(const Spec *spec, int k, real **a)
{
    const Core *core = &spec->cores[k];
    PyObject *array = PyArray_SimpleNew(core->rank, (npy_intp *)core->shape, REAL);
    if (array != NULL) {
        a[k] = PyArray_DATA((PyArrayObject *)array);
    }
    return array;
}

static PyObject *call_for_one(const Spec *spec, real **a)
{
    PyObject *result = new_output(spec, spec->inputs, a);
    if (result == NULL) {
        return NULL;
    }
    spec->call(a);
    return PyArray_Return((PyArrayObject *)result);
}

static PyObject *call_for_several(const Spec *spec, real **a)
{
    PyArrayObject *arrays[MAX_ARGUMENTS];
    PyObject *results = PyTuple_New(spec->outputs);
    if (results == NULL) {
        return NULL;
    }
    for (int k = 0; k < spec->outputs; k++) {
        PyObject *array = new_output(spec, spec->inputs + k, a);
        if (array == NULL) {
            Py_DECREF(results);
            return NULL;
        }
        arrays[k] = (PyArrayObject *)array;
        PyTuple_SET_ITEM(results, k, array);
    }
    spec->call(a);
    for (int k = 0; k < spec->outputs; k++) {
        PyObject *result = PyArray_Return(arrays[k]); /* a 0-d array turns into a scalar */
        PyTuple_SET_ITEM(results, k, result);
        if (result == NULL) {
            Py_DECREF(results);
            return NULL;
        }
    }
    return results;
}

static PyObject *function_call(PyObject *object, PyObject *const *args, size_t nargsf, PyObject *keywords)
{
    const Function *self = (const Function *)object;
    const Spec *spec = self->spec;
    const int given = spec->inputs - (self->bound != NULL);
    real *a[MAX_ARGUMENTS];

    if (keywords != NULL || PyVectorcall_NARGS(nargsf) != given) {
        return PyObject_Vectorcall(self->slow, args, nargsf, keywords);
    }
    for (int k = 0; k < given; k++) {
        if (!is_plain(args[k], &spec->cores[k])) {
            return PyObject_Vectorcall(self->slow, args, nargsf, keywords);
        }
        a[k] = PyArray_DATA((PyArrayObject *)args[k]);
    }
    if (self->bound != NULL) {
        a[given] = self->bound;
    }
    return spec->outputs == 1 ? call_for_one(spec, a) : call_for_several(spec, a);
}

static const Spec *find_spec(const char *name)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        if (strcmp(specs[k].name, name) == 0) {
            return &specs[k];
        }
    }
    PyErr_Format(PyExc_KeyError, MODULE " has no function %s", name);
    return NULL;
}

/* A copy of `array`, so that nobody can change, resize or free what other threads compute with. */
static real *copy_constants(const Spec *spec, PyObject *array)
{
    if (!spec->takes_constants) {
        PyErr_Format(PyExc_TypeError, "%s takes no constants to be bound", spec->name);
        return NULL;
    }
    const Core *core = &spec->cores[spec->inputs - 1];
    if (!is_plain(array, core)) {
        PyErr_Format(PyExc_TypeError, "bound must be a contiguous array of %zd numbers of type " REAL_NAME,
                     (Py_ssize_t)core->size);
        return NULL;
    }
    const size_t bytes = (size_t)core->size * sizeof(real);
    real *copy = PyMem_Malloc(bytes);
    if (copy == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    memcpy(copy, PyArray_DATA((PyArrayObject *)array), bytes);
    return copy;
}

static PyObject *function_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"name", "slow", "bound", NULL};
    const char *name;
    PyObject *slow;
    PyObject *bound = Py_None;
    real *constants = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "sO|O:Function", names, &name, &slow, &bound)) {
        return NULL;
    }
    const Spec *spec = find_spec(name);
    if (spec == NULL) {
        return NULL;
    }
    if (!PyCallable_Check(slow)) {
        return PyErr_Format(PyExc_TypeError, "slow must be callable, not %s", Py_TYPE(slow)->tp_name);
    }
    if (bound != Py_None) {
        constants = copy_constants(spec, bound);
        if (constants == NULL) {
            return NULL;
        }
    }
    Function *self = (Function *)type->tp_alloc(type, 0);
    if (self == NULL) {
        PyMem_Free(constants);
        return NULL;
    }
    self->vectorcall = function_call;
    self->spec = spec;
    self->bound = constants;
    Py_INCREF(slow);
    self->slow = slow;
    return (PyObject *)self;
}

static int function_traverse(PyObject *object, visitproc visit, void *arg)
{
    Function *self = (Function *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->slow);
    Py_VISIT(self->dict);
    return 0;
}

/* `slow` stays until the object goes, so that there is something to call while a cycle is being torn
 * down; a cycle through it also runs through a dictionary, which is cleared. */
static int function_clear(PyObject *object)
{
    Function *self = (Function *)object;
    Py_CLEAR(self->dict);
    return 0;
}

static void function_dealloc(PyObject *object)
{
    Function *self = (Function *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    if (self->weak_references != NULL) {
        PyObject_ClearWeakRefs(object);
    }
    Py_CLEAR(self->dict);
    Py_CLEAR(self->slow);
    PyMem_Free(self->bound);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyObject *function_repr(PyObject *object)
{
    return PyObject_Repr(((Function *)object)->slow);
}

/* copy.copy and copy.deepcopy: a function is its own copy, as Python's functions are. */
static PyObject *function_copy(PyObject *object, PyObject *Py_UNUSED(memo))
{
    Py_INCREF(object);
    return object;
}

/* pickle sends what it would send of the Python callable. */
static PyObject *function_reduce(PyObject *object, PyObject *Py_UNUSED(nothing))
{
    return PyObject_CallMethod(((Function *)object)->slow, "__reduce__", NULL);
}

static PyMethodDef function_methods[] = {
    {"__copy__", function_copy, METH_NOARGS, NULL},
    {"__deepcopy__", function_copy, METH_O, NULL},
    {"__reduce__", function_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef function_members[] = {
    {"__wrapped__", T_OBJECT_EX, offsetof(Function, slow), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(Function, dict), READONLY, NULL},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Function, vectorcall), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Function, weak_references), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef function_properties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot function_slots[] = {
    {Py_tp_new, (void *)function_new},
    {Py_tp_traverse, (void *)function_traverse},
    {Py_tp_clear, (void *)function_clear},
    {Py_tp_dealloc, (void *)function_dealloc},
    {Py_tp_repr, (void *)function_repr},
    {Py_tp_call, (void *)PyVectorcall_Call},
    {Py_tp_methods, function_methods},
    {Py_tp_members, function_members},
    {Py_tp_getset, function_properties},
    {0, NULL},
};

static PyType_Spec function_type = {
    .name = "_" MODULE ".Function",
    .basicsize = sizeof(Function),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = function_slots,
};
