"""C for many states around hand-written functions of one state: gather, call, scatter."""

from math import prod

from symgen.program.module import CONSTANTS


def plain_batches(module):
    """`<name>_batch.h` and `<name>_batch.c`, with the functions that bindings call."""
    name, parts = module.name, [_texts(module, function) for function in module.functions]
    header = f'#include <stddef.h>\n#include "{name}.h"\n' + "".join(f"{a};\n{b};\n" for (a, _), (b, _) in parts)
    source = f'#include "{name}_batch.h"\n' + "".join(f"{a} {{{x}}}\n{b} {{{y}}}\n" for (a, x), (b, y) in parts)
    return {f"{name}_batch.h": header, f"{name}_batch.c": source}


def _texts(module, function):
    real = "double" if module.real == "float64" else "float"
    strided, batch, given, local, before, after, call = ["size_t n"], ["size_t n"], ["n"], [], [], [], []
    for k, argument in enumerate(function.inputs + function.outputs):
        if argument.name == CONSTANTS:
            declared = f"const {module.name}_constants *x{k}"
            strided.append(declared)
            batch.append(declared)
            given.append(f"x{k}")
            call.append(f"x{k}")
            continue
        is_input, size = k < len(function.inputs), prod(argument.shape)
        pointer = f"{'const ' if is_input else ''}{real} *x{k}"
        strided.append(f"{pointer}, ptrdiff_t s{k}, ptrdiff_t d{k}")
        batch.append(pointer)
        given.append(f"x{k}, {size}, 1")
        local.append(f"{real} y{k}[{size}];")
        call.append(f"y{k}")
        place = f"x{k}[(ptrdiff_t)m*s{k} + i*d{k}]"
        line = f"for (int i = 0; i < {size}; i++) {{{{ {{}} }}}}"
        if is_input:
            before.append(line.format(f"y{k}[i] = {place};"))
        else:
            after.append(line.format(f"{place} = y{k}[i];"))
    start = f"{module.name}_{function.name}"
    body = f"for (size_t m = 0; m < n; m++) {{ {' '.join([*local, *before])} {start}({', '.join(call)}); "
    return (
        (f"void {start}_strided({', '.join(strided)})", f"{body}{' '.join(after)} }}"),
        (f"void {start}_batch({', '.join(batch)})", f"{start}_strided({', '.join(given)});"),
    )
