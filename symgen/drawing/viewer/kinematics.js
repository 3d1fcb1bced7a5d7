// Where the bodies of a scene are: the same as drawing/kinematics.py. Poses are 12 numbers, the rows of [R p].

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

function times(a, b) {
  const c = new Array(12);
  for (let i = 0; i < 12; i += 4) {
    for (let j = 0; j < 4; j++) c[i + j] = a[i] * b[j] + a[i + 1] * b[4 + j] + a[i + 2] * b[8 + j];
    c[i + 3] += a[i + 3];
  }
  return c;
}

function placed(a, p) {
  return [0, 4, 8].map((i) => a[i] * p[0] + a[i + 1] * p[1] + a[i + 2] * p[2] + a[i + 3]);
}

function turnedBy(a, v) {
  return [0, 4, 8].map((i) => a[i] * v[0] + a[i + 1] * v[1] + a[i + 2] * v[2]);
}

const origin = (a) => [a[3], a[7], a[11]];
const column = (a, j) => [a[j], a[4 + j], a[8 + j]];

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const size = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => scaled(a, 1 / (size(a) || 1));

function screwed(screw, q) {
  const angle = screw.turn * q[screw.q] + screw.offset;
  const c = Math.cos(angle), s = Math.sin(angle);
  const one = (screw.axis + 1) % 3, other = (screw.axis + 2) % 3;
  const pose = IDENTITY.slice();
  pose[5 * one] = pose[5 * other] = c;
  pose[4 * one + other] = -s;
  pose[4 * other + one] = s;
  pose[4 * screw.axis + 3] = screw.slide * q[screw.q];
  return pose;
}

function orientation(quaternion) {
  const length = Math.hypot(...quaternion);
  const [x, y, z, w] = quaternion.map((entry) => entry / length);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0,
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0,
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0,
  ];
}

function freed(free, q) {
  let pose = IDENTITY.slice();
  if (free.heading !== null) pose = screwed({ axis: 2, turn: 1, slide: 0, offset: 0, q: free.heading }, q);
  else if (free.quaternion !== null) pose = orientation(q.slice(free.quaternion, free.quaternion + 4));
  free.point.forEach((index, axis) => { pose[4 * axis + 3] = q[index]; });
  return pose;
}

// The frame that the joint of a body moves, before it moves: body.before in the base's axes.
function jointFrame(found, body) {
  return body.parent < 0 ? body.before : times(found[body.parent], body.before);
}

// The frames of all bodies at q, in the base's.
function poses(scene, q) {
  q = Array.from(q);
  const found = [];
  for (const body of scene.bodies) {
    let frame = jointFrame(found, body);
    if (body.free) frame = times(frame, freed(body.free, q));
    for (const screw of body.screws) frame = times(frame, screwed(screw, q));
    found.push(times(frame, body.after));
  }
  return found;
}

const onBody = (found, index) => (index < 0 ? IDENTITY : found[index]);

// The pose of a named frame, or of a body, in the base's; null if there is none.
function framePose(scene, found, name) {
  const frame = scene.frames.find((each) => each.name === name);
  if (frame) return times(onBody(found, frame.body), frame.pose);
  const index = scene.bodies.findIndex((each) => each.name === name);
  return index < 0 ? null : found[index];
}
