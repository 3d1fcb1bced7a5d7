// The robot as its generated functions know it: rates of q, loops that close, quaternions of length 1.

class Mechanism {
  // `dynamics`: what the generated module exports; `robot`: what the page says of its coordinates.
  constructor(dynamics, robot) {
    this.dynamics = dynamics;
    this.robot = robot;
    this.nq = robot.nq;
    this.nv = robot.nv;
    this.moved = [...robot.plain.map(([place]) => place), ...robot.free.flatMap(({ q, positions }) => positions.map((_, k) => q + k))];
    this.moved.sort((one, other) => one - other);
  }

  // The outputs of a function by its kind: the array, or of several an object; null if the page has none.
  call(kind, ...inputs) {
    const name = this.robot.functions[kind];
    return name === undefined ? null : this.dynamics[name](...inputs);
  }

  has(kind) {
    return this.robot.functions[kind] !== undefined;
  }

  // The q near this one with these independent entries at which loops are closed; null if none is found.
  closed(q) {
    if (!this.robot.places) return Float64Array.from(q);
    const { q: found, status } = this.dynamics.assemble(Float64Array.from(this.robot.places, (place) => q[place]), Float64Array.from(q));
    return status ? null : found;
  }

  // The rates of the entries of q, into `rates` (nq): of dependent ones 0, since assembly finds these.
  rates(q, qd, rates) {
    rates.fill(0);
    for (const [place, velocity] of this.robot.plain) rates[place] = qd[velocity];
    for (const joint of this.robot.free) this.freeRates(joint, q, qd, rates);
    return rates;
  }

  freeRates(joint, q, qd, rates) {
    const { at, has, turn, twist } = parts(joint, q, qd);
    const linear = turned(turn, twist.slice(0, 3));
    ["x", "y", "z"].forEach((name, k) => { if (has(name)) rates[at(name)] = linear[k]; });
    if (has("theta")) rates[at("theta")] = twist[5];
    if (!has("qw")) return;
    const [x, y, z, w] = quaternionOf(joint, q), [a, b, c] = twist.slice(3);
    rates[at("qx")] = (w * a + y * c - z * b) / 2;
    rates[at("qy")] = (w * b + z * a - x * c) / 2;
    rates[at("qz")] = (w * c + x * b - y * a) / 2;
    rates[at("qw")] = (-x * a - y * b - z * c) / 2;
  }

  // Make quaternions in q of length 1.
  normalise(q) {
    for (const joint of this.robot.free.filter(({ positions }) => positions.includes("qw"))) {
      const places = ["qx", "qy", "qz", "qw"].map((name) => joint.q + joint.positions.indexOf(name));
      const length = Math.hypot(...places.map((place) => q[place]));
      for (const place of places) q[place] /= length;
    }
    return q;
  }

  kinetic(q, qd) {
    return this.call("kinetic_energy", q, qd)[0];
  }

  potential(q) {
    return this.call("potential_energy", q)[0];
  }
}

// Places and twist of a free joint: `turn` (9) carries its link's axes into the joint's, `twist` is [v, w] in the former.
function parts(joint, q, qd) {
  const at = (name) => joint.q + joint.positions.indexOf(name), has = (name) => joint.positions.includes(name);
  const twist = ["vx", "vy", "vz", "wx", "wy", "wz"].map((name) => {
    const place = joint.velocities.indexOf(name);
    return place < 0 ? 0 : qd[joint.v + place];
  });
  return { at, has, twist, turn: turnOf(joint, q) };
}

const quaternionOf = (joint, q) => ["qx", "qy", "qz", "qw"].map((name) => q[joint.q + joint.positions.indexOf(name)]);

function turnOf(joint, q) {
  if (!joint.positions.includes("qw")) {
    const place = joint.positions.indexOf("theta"), angle = place < 0 ? 0 : q[joint.q + place];
    const c = Math.cos(angle), s = Math.sin(angle);
    return [c, -s, 0, s, c, 0, 0, 0, 1];
  }
  const [x, y, z, w] = quaternionOf(joint, q), n = 2 / (x * x + y * y + z * z + w * w);
  return [
    1 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w),
    n * (x * y + z * w), 1 - n * (x * x + z * z), n * (y * z - x * w),
    n * (x * z - y * w), n * (y * z + x * w), 1 - n * (x * x + y * y),
  ];
}

const turned = (m, v) => [0, 3, 6].map((i) => m[i] * v[0] + m[i + 1] * v[1] + m[i + 2] * v[2]);
const turnedBack = (m, v) => [0, 1, 2].map((i) => m[i] * v[0] + m[i + 3] * v[1] + m[i + 6] * v[2]);
