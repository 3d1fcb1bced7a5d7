/* ---- the module ---- */

static int add(PyObject *module, const char *name, PyObject *value)
{
    if (value == NULL) {
        return -1;
    }
    const int status = PyModule_AddObjectRef(module, name, value);
    Py_DECREF(value);
    return status;
}

static PyObject *new_ufuncs(void)
{
    PyObject *ufuncs = PyDict_New();
    for (int k = 0; ufuncs != NULL && k < FUNCTIONS; k++) {
        PyObject *ufunc = new_ufunc(k);
        if (ufunc == NULL || PyDict_SetItemString(ufuncs, specs[k].name, ufunc) < 0) {
            Py_CLEAR(ufuncs);
        }
        Py_XDECREF(ufunc);
    }
    return ufuncs;
}

static int module_exec(PyObject *module)
{
    import_array1(-1);
    import_umath1(-1);
    if (add(module, "Function", PyType_FromModuleAndSpec(module, &function_type, NULL)) < 0) {
        return -1;
    }
    return add(module, "ufuncs", new_ufuncs());
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)module_exec},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module_definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_" MODULE,
    .m_doc = "Compiled functions of " MODULE ": `ufuncs` by name, and the type `Function`.",
    .m_size = 0,
    .m_slots = module_slots,
};
