// Falling without joint forces, and moves from rest to rest by the cycloidal law.

const TOLERANCE = 1e-9;
// Beside the largest at the start: rates of other joints per rate of an independent one, large and too large.
const LARGE = 5, SINGULAR = 100;

// The motion from a q at rest without joint forces, on and on; `stopped` says why it cannot go on, "" while it can.
class Fall {
  constructor(mechanism, q, pair) {
    this.mechanism = mechanism;
    this.q = Float64Array.from(q);
    this.qd = new Float64Array(mechanism.nv);
    this.stopped = "";
    this.t = this.seconds = 0;
    const { moved, nv } = mechanism, y = new Float64Array(moved.length + nv);
    moved.forEach((place, k) => { y[k] = q[place]; });
    this.others = Array.from(q, (_, k) => k).filter((k) => !moved.includes(k));
    this.positionRates = new Float64Array(mechanism.nq);
    this.near = Float64Array.from(q);
    this.trial = Float64Array.from(q);
    this.speeds = new Float64Array(nv);
    this.none = new Float64Array(nv);
    this.pushes = new Float64Array(nv);
    this.integrator = new Integrator((state, slopes) => this.rates(state, slopes), y, TOLERANCE, pair);
    this.start = mechanism.potential(this.q);
    this.most = 0;
    this.look();
  }

  rates(state, slopes) {
    const { mechanism, trial, speeds, positionRates } = this, { moved, nv } = mechanism, count = moved.length;
    let q = trial;
    for (let k = 0; k < count; k++) trial[moved[k]] = state[k];
    for (let k = 0; k < nv; k++) speeds[k] = state[count + k];
    if (mechanism.robot.places) {
      for (const k of this.others) trial[k] = this.near[k];
      q = mechanism.closed(trial);
      if (q === null) return false;
    }
    const pushes = mechanism.call("forward_dynamics", q, speeds, this.none, this.pushes);
    mechanism.rates(q, speeds, positionRates);
    for (let k = 0; k < count; k++) slopes[k] = positionRates[moved[k]];
    slopes.set(pushes, count);
    return pushes.every(Number.isFinite);
  }

  // Go on to the time `end` (s).
  advance(end) {
    while (!this.stopped && this.t < end) {
      if (!this.integrator.advance(end)) this.stopped = this.reason();
      else this.accept();
    }
  }

  accept() {
    const { mechanism, integrator: { y } } = this, { moved, nv } = mechanism;
    const q = Float64Array.from(this.near);
    moved.forEach((place, k) => { q[place] = y[k]; });
    const found = mechanism.closed(mechanism.normalise(q));
    if (found === null) {
      this.stopped = this.reason();
      return;
    }
    const { q: lastQ, qd: lastQd, most, shape: before } = this;
    moved.forEach((place, k) => { y[k] = found[place]; });
    this.q = found;
    this.qd = Float64Array.from(y.subarray(moved.length, moved.length + nv));
    this.look();
    if (this.isCrossed(before, this.shape)) { // what lies beyond is not the motion, and next to it little is left of it
      this.stopped = this.reason();
      this.q = lastQ;
      this.qd = lastQd;
      this.most = most;
      this.look();
      return;
    }
    this.t = this.integrator.t;
    this.near = Float64Array.from(this.q);
  }

  look() {
    const { mechanism } = this;
    if (mechanism.has("velocity_transformation")) {
      this.shape = { ratios: Float64Array.from(mechanism.call("velocity_transformation", this.q)), shares: Float64Array.from(mechanism.call("loop_determinants", this.q)) };
      this.usual ??= 1 + largest(this.shape.ratios);
    }
    this.kinetic = mechanism.kinetic(this.q, this.qd);
    this.potential = mechanism.potential(this.q);
    this.most = Math.max(this.most, this.kinetic, Math.abs(this.potential - this.start));
  }

  // Whether the loops came through a posture in which independent joints do not determine the others, or next to one.
  isCrossed(before, after) {
    if (!before) return false;
    const size = (value) => Math.abs(value) / this.usual;
    return after.shares.some((value, k) => value * before.shares[k] < 0)
      || after.ratios.some((value, k) => size(value) > SINGULAR || (value * before.ratios[k] < 0 && Math.min(size(value), size(before.ratios[k])) > LARGE));
  }

  reason() {
    const where = `Stopped at t = ${shown(this.t)} s: `;
    return where + (this.mechanism.robot.places
      ? "the loops come to a singular posture, beyond which the independent joints do not determine the others."
      : "no step is short enough; accelerations grow without bound there, or friction jumps.");
  }

  // The change of the energy, of the largest that was exchanged; without friction it is what the integrator errs.
  get drift() {
    return this.most > 0 ? (this.kinetic + this.potential - this.start) / this.most : 0;
  }
}

// How far a cycloidal move of the duration T is at t: the part done, its rate and its acceleration.
function cycloid(t, T) {
  const time = Math.min(Math.max(t, 0), T), w = 2 * Math.PI / T;
  return [time / T - Math.sin(w * time) / (2 * Math.PI), (1 - Math.cos(w * time)) / T, w * Math.sin(w * time) / T];
}

// The samples of a move from rest at q = `start` to rest at `end` in T (s), with the forces that it takes:
// {t, q, qd, qdd, tau}; beyond `until` loops do not close, or forces are no numbers.
function move(mechanism, start, end, T, count = 201) {
  const result = { t: [], q: [], qd: [], qdd: [], tau: [], until: T };
  let near = Float64Array.from(start);
  for (let k = 0; k < count; k++) {
    const t = T * k / (count - 1);
    const state = moveAt(mechanism, start, end, t, T, near);
    const tau = state && mechanism.call("inverse_dynamics", state.q, state.qd, state.qdd);
    if (!tau || !tau.every(Number.isFinite)) {
      result.until = result.t.at(-1) ?? 0;
      break;
    }
    near = state.q;
    result.t.push(t);
    for (const name of ["q", "qd", "qdd"]) result[name].push(state[name]);
    result.tau.push(Float64Array.from(tau));
  }
  return result;
}

function moveAt(mechanism, start, end, t, T, near) {
  const { robot } = mechanism, q = Float64Array.from(near);
  const qd = new Float64Array(robot.nv), qdd = new Float64Array(robot.nv), way = cycloid(t, T);
  for (const [place, velocity] of robot.plain) {
    const far = end[place] - start[place];
    q[place] = start[place] + far * way[0];
    qd[velocity] = far * way[1];
    qdd[velocity] = far * way[2];
  }
  for (const joint of robot.free) moveFree(joint, start, end, way, q, qd, qdd);
  const found = mechanism.closed(q);
  return found === null ? null : { q: found, qd, qdd };
}

// A free joint goes straight, and turns about one direction, the short way.
function moveFree(joint, start, end, [part, speed, push], q, qd, qdd) {
  const { at, has } = parts(joint, start, qd);
  const far = ["x", "y", "z"].map((name) => (has(name) ? end[at(name)] - start[at(name)] : 0));
  for (const name of joint.positions.filter((each) => !each.startsWith("q"))) {
    q[at(name)] = start[at(name)] + part * (end[at(name)] - start[at(name)]);
  }
  let turn = has("theta") ? [0, 0, end[at("theta")] - start[at("theta")]] : [0, 0, 0];
  if (has("qw")) {
    const first = quaternionOf(joint, start);
    turn = turnBetween(first, quaternionOf(joint, end));
    const angle = Math.hypot(...turn), axis = turn.map((value) => value / (angle || 1));
    const half = part * angle / 2, s = Math.sin(half);
    product(first, [s * axis[0], s * axis[1], s * axis[2], Math.cos(half)]).forEach((value, k) => { q[at(["qx", "qy", "qz", "qw"][k])] = value; });
  }
  const here = turnOf(joint, q), v = turnedBack(here, far.map((value) => value * speed)), w = turn.map((value) => value * speed);
  const straight = turnedBack(here, far.map((value) => value * push));
  const rates = [...v, ...w], pushes = [
    straight[0] - (w[1] * v[2] - w[2] * v[1]), straight[1] - (w[2] * v[0] - w[0] * v[2]), straight[2] - (w[0] * v[1] - w[1] * v[0]),
    ...turn.map((value) => value * push),
  ];
  ["vx", "vy", "vz", "wx", "wy", "wz"].forEach((name, k) => {
    const place = joint.velocities.indexOf(name);
    if (place < 0) return;
    qd[joint.v + place] = rates[k];
    qdd[joint.v + place] = pushes[k];
  });
}

// The product of quaternions x y z w.
function product([x, y, z, w], [a, b, c, d]) {
  return [w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a, w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c];
}

// The rotation vector, in the axes of the first, that leads from one quaternion to another, the short way.
function turnBetween([x, y, z, w], other) {
  const relative = product([-x, -y, -z, w], other), sign = relative[3] < 0 ? -1 : 1;
  const s = Math.hypot(relative[0], relative[1], relative[2]), angle = 2 * Math.atan2(s, sign * relative[3]);
  return relative.slice(0, 3).map((value) => (s ? sign * angle * value / s : 0));
}
