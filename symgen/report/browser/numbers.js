// Small linear algebra, and numbers as people read them. Matrices are flat, row by row.

// Eigenvalues of a symmetric n x n matrix with their vectors as columns, by Jacobi's rotations; NaN stays NaN.
function eigen(matrix, n) {
  const a = Float64Array.from(matrix), v = new Float64Array(n * n);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0, all = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        all += a[i * n + j] ** 2;
        if (i !== j) off += a[i * n + j] ** 2;
      }
    }
    if (!(off > 1e-30 * all)) break;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) rotate(a, v, n, p, q);
    }
  }
  return { values: Array.from({ length: n }, (_, i) => a[i * n + i]), vectors: v };
}

function rotate(a, v, n, p, q) {
  const apq = a[p * n + q];
  if (apq === 0) return;
  const theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1), s = t * c;
  for (let k = 0; k < n; k++) {
    const akp = a[k * n + p], akq = a[k * n + q];
    a[k * n + p] = c * akp - s * akq;
    a[k * n + q] = s * akp + c * akq;
  }
  for (let k = 0; k < n; k++) {
    const apk = a[p * n + k], aqk = a[q * n + k], vkp = v[k * n + p], vkq = v[k * n + q];
    a[p * n + k] = c * apk - s * aqk;
    a[q * n + k] = s * apk + c * aqk;
    v[k * n + p] = c * vkp - s * vkq;
    v[k * n + q] = s * vkp + c * vkq;
  }
}

// The ratio of the largest to the smallest eigenvalue of a symmetric matrix; NaN where one is not above 0.
function condition(matrix, n) {
  const { values } = eigen(matrix, n), least = Math.min(...values);
  return least > 0 ? Math.max(...values) / least : NaN;
}

// Singular values of rows (m x n, m <= n or not), largest first, with the left vectors as columns: of J Jᵀ.
function singular(rows, m, n) {
  const square = new Float64Array(m * m);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < m; j++) {
      for (let k = 0; k < n; k++) square[i * m + j] += rows[i * n + k] * rows[j * n + k];
    }
  }
  const { values, vectors } = eigen(square, m);
  return { values: values.map((value) => Math.sqrt(Math.max(value, 0))), vectors };
}

const MINUS = "\u2212";
const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

// A number in so many digits, without noise: what is below 1e-12 of `size` is 0.
function shown(value, digits = 4, size = 0) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "not a number" : value > 0 ? "∞" : `${MINUS}∞`;
  if (Math.abs(value) <= 1e-12 * size || value === 0) return "0";
  const large = Math.abs(value);
  const text = large >= 1e6 || large < 1e-4 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  const [head, power] = text.split("e");
  const plain = head.includes(".") ? head.replace(/\.?0+$/, "") : head;
  const raised = power === undefined ? "" : ` × 10${[...String(Number(power))].map((digit) => RAISED[digit]).join("")}`;
  return plain.replaceAll("-", MINUS) + raised;
}

const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
