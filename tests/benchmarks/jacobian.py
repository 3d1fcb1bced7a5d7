"""Single calls in C: the generated `jacobian` of a robot beside another C function of the same signature class.

    python tests/benchmarks/jacobian.py ROBOT [PEER.c SYMBOL]

The peer is a function that CasADi generated, `int f(const double **arg, double **res, long long *iw, double *w, int
mem)`; both are compiled with the same flags and timed in turn over the same random states.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import symgen
from symgen import api

FLAGS = ["-O3", "-march=native", "-std=gnu99", "-ffp-contract=fast"]

MAIN = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "{robot}.h"
#define STATES 1024
#define ROUNDS 2000
{declaration}
static double q[STATES][{n}], J[6 * {n}], sum;
static double seconds(void)
{{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}}
static void ours(const double *x) {{ {robot}_jacobian(x, J); }}
static void theirs(const double *x) {{ {call} }}
static double round_of(void (*f)(const double *))
{{
    double start = seconds();
    for (int i = 0; i < STATES; ++i) {{ f(q[i]); sum += J[i % (6 * {n})]; }}
    return (seconds() - start) / STATES * 1e9;
}}
int main(void)
{{
    double best[2] = {{1e9, 1e9}};
    for (int i = 0; i < STATES; ++i) for (int j = 0; j < {n}; ++j) q[i][j] = 6.0 * rand() / RAND_MAX - 3.0;
    for (int r = 0; r < ROUNDS; ++r) {{
        double a = round_of(ours), b = round_of(theirs);
        if (a < best[0]) best[0] = a;
        if (b < best[1]) best[1] = b;
    }}
    printf("symgen %.1f ns   peer %.1f ns   (%g)\n", best[0], best[1], sum);
    return 0;
}}
"""


def main() -> None:
    """Build and run the comparison."""
    robot = symgen.load(sys.argv[1])
    sources = api.emit(api.derive(robot, api.Options(functions=("jacobian",))).module)
    peer, symbol = (Path(sys.argv[2]), sys.argv[3]) if len(sys.argv) > 3 else (None, "")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources.c.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        declaration = f"int {symbol}(const double **, double **, long long *, double *, int);" if peer else ""
        call = (
            f"const double *a[1] = {{x}}; double *r[1] = {{J}}; double w[512]; {symbol}(a, r, 0, w, 0);"
            if peer
            else "(void)x;"
        )
        text = MAIN.format(robot=robot.name, n=robot.nv, declaration=declaration, call=call)
        Path(folder, "main.c").write_text(text, encoding="utf-8")
        units = [f"{folder}/main.c", f"{folder}/{robot.name}.c", *([str(peer)] if peer else [])]
        subprocess.run(["cc", *FLAGS, f"-I{folder}", *units, "-lm", "-o", f"{folder}/run"], check=True)
        subprocess.run([f"{folder}/run"], check=True)


if __name__ == "__main__":
    main()
