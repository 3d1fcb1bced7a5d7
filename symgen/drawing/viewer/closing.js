// Closing the loops of a scene: the same as drawing/assembly.py.

const CLOSED = 1e-9, STEPS = 60, FARTHEST = 0.5, DAMPING = 1e-3;

// The q near this one at which loops are closed, its entries `fixed` as they are; null if none is found.
function closed(scene, q, fixed = []) {
  const now = Array.from(q), kept = new Set(fixed);
  const above = ancestry(scene);
  for (let step = 0; step < STEPS; step++) {
    const found = poses(scene, now);
    const columns = rates(scene, now, found).filter((each) => !kept.has(each.q));
    const rows = constraints(scene, now, found, columns, above);
    const largest = rows.reduce((most, row) => Math.max(most, Math.abs(row.value)), 0);
    if (largest <= CLOSED) return now;
    if (!Number.isFinite(largest)) return null;
    const total = rows.reduce((sum, row) => sum + row.value * row.value, 0);
    const move = damped(rows, columns.length, Math.min(total, DAMPING));
    const length = Math.hypot(...move), share = Math.min(1, FARTHEST / Math.max(length, 1e-300));
    columns.forEach((each, k) => advance(now, each, share * move[k]));
  }
  return null;
}

function ancestry(scene) {
  const above = [];
  scene.bodies.forEach((body, index) => {
    above.push(new Set([index, ...(body.parent < 0 ? [] : above[body.parent])]));
  });
  return above;
}

// What rates do to bodies: {body, turn, slide, at, q, axis}.
function rates(scene, q, found) {
  const columns = [], nothing = [0, 0, 0];
  scene.bodies.forEach((body, index) => {
    let frame = jointFrame(found, body);
    for (const screw of body.screws) {
      const axis = column(frame, screw.axis);
      columns.push({ body: index, turn: scaled(axis, screw.turn), slide: scaled(axis, screw.slide), at: origin(frame), q: screw.q });
      frame = times(frame, screwed(screw, q));
    }
    if (!body.free) return;
    body.free.point.forEach((entry, axis) => {
      columns.push({ body: index, turn: nothing, slide: column(frame, axis), at: origin(frame), q: entry });
    });
    const moved = times(frame, freed(body.free, q)), at = origin(moved);
    if (body.free.heading !== null) {
      columns.push({ body: index, turn: column(frame, 2), slide: nothing, at, q: body.free.heading });
    }
    if (body.free.quaternion !== null) {
      for (let axis = 0; axis < 3; axis++) {
        columns.push({ body: index, turn: column(moved, axis), slide: nothing, at, q: body.free.quaternion, axis });
      }
    }
  });
  return columns;
}

// Move q by an amount of a rate; quaternions stay of length 1.
function advance(q, rate, amount) {
  if (rate.axis === undefined) {
    q[rate.q] += amount;
    return;
  }
  const own = q.slice(rate.q, rate.q + 4), length = Math.hypot(...own);
  const [x, y, z, w] = own.map((entry) => entry / length);
  const half = [0, 0, 0], c = Math.cos(amount / 2);
  half[rate.axis] = Math.sin(amount / 2);
  const turn = plus(plus(scaled([x, y, z], c), half, w), cross([x, y, z], half));
  [...turn, w * c - dot([x, y, z], half)].forEach((entry, k) => { q[rate.q + k] = entry; });
}

// {value, slopes} of all constraints.
function constraints(scene, q, found, columns, above) {
  const rows = [], still = [[0, 0, 0], [0, 0, 0]];
  const change = (rate, end, frame) =>
    end.body < 0 || !above[end.body].has(rate.body)
      ? still
      : [plus(cross(rate.turn, minus(origin(frame), rate.at)), rate.slide), rate.turn];
  for (const cut of scene.cuts) {
    const [first, second] = cut.ends.map((end) => times(onBody(found, end.body), end.pose));
    const changes = columns.map((rate) => [change(rate, cut.ends[0], first), change(rate, cut.ends[1], second)]);
    const apart = minus(origin(second), origin(first));
    for (const axis of cut.shifts) {
      const n = column(first, axis);
      rows.push({ value: dot(n, apart), slopes: changes.map(([a, b]) => dot(cross(a[1], n), apart) + dot(n, minus(b[0], a[0]))) });
    }
    for (const [one, other] of cut.angles) {
      const n = column(first, one), m = column(second, other);
      rows.push({ value: dot(n, m), slopes: changes.map(([a, b]) => dot(cross(minus(a[1], b[1]), n), m)) });
    }
    if (!cut.shifts.length && !cut.angles.length) {
      const distance = size(apart);
      rows.push({
        value: distance - cut.length,
        slopes: changes.map(([a, b]) => dot(apart, minus(b[0], a[0])) / Math.max(distance, 1e-300)),
      });
    }
  }
  for (const tie of scene.ties) {
    const ratios = new Map(tie.terms);
    const value = tie.terms.reduce((sum, [index, ratio]) => sum + ratio * q[index], -tie.offset);
    rows.push({ value, slopes: columns.map((each) => ratios.get(each.q) ?? 0) });
  }
  return rows;
}

// The step that solves (JᵀJ + damping) step = −Jᵀ r, by Cholesky's factors; what has no pivot left stays.
function damped(rows, n, damping) {
  const A = Array.from({ length: n }, () => new Array(n).fill(0)), b = new Array(n).fill(0);
  for (const { value, slopes } of rows) {
    for (let i = 0; i < n; i++) {
      if (!slopes[i]) continue;
      b[i] -= slopes[i] * value;
      for (let j = 0; j <= i; j++) A[i][j] += slopes[i] * slopes[j];
    }
  }
  for (let i = 0; i < n; i++) A[i][i] += damping + 1e-14;
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) A[j][j] -= A[j][k] ** 2;
    A[j][j] = Math.sqrt(Math.max(A[j][j], 1e-14));
    for (let i = j + 1; i < n; i++) {
      for (let k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) b[i] -= A[i][k] * b[k];
    b[i] /= A[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) b[i] -= A[k][i] * b[k];
    b[i] /= A[i][i];
  }
  return b;
}
