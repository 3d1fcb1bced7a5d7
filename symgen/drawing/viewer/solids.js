// Solids of few curves: each is drawn as the outline that it has from the camera, shaded across.

const TURN = 2 * Math.PI;
const LIGHT = [-0.45, 0.7, 0.55]; // to the right, up and towards the camera

// The hull of two circles {x, y, r} as a path.
function hull(path, a, b) {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  if (length <= Math.abs(a.r - b.r) + 1e-9) {
    const larger = a.r > b.r ? a : b;
    path.moveTo(larger.x + larger.r, larger.y);
    path.arc(larger.x, larger.y, larger.r, 0, TURN);
    return;
  }
  const heading = Math.atan2(b.y - a.y, b.x - a.x), lean = Math.acos((a.r - b.r) / length);
  path.moveTo(a.x + a.r * Math.cos(heading + lean), a.y + a.r * Math.sin(heading + lean));
  path.arc(a.x, a.y, a.r, heading + lean, heading - lean + TURN);
  path.arc(b.x, b.y, b.r, heading - lean, heading + lean);
  path.closePath();
}

// A gradient across the way from one point to another, of a round rod's shades.
function across(context, a, b, r, shades) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  let nx = -(b.y - a.y) / length, ny = (b.x - a.x) / length;
  if (nx * LIGHT[0] - ny * LIGHT[1] < 0) { nx = -nx; ny = -ny; }
  const x = (a.x + b.x) / 2, y = (a.y + b.y) / 2;
  const gradient = context.createLinearGradient(x + nx * r, y + ny * r, x - nx * r, y - ny * r);
  gradient.addColorStop(0, shades.middle);
  gradient.addColorStop(0.3, shades.light);
  gradient.addColorStop(1, shades.dark);
  return gradient;
}

// The shades of a colour [red, green, blue] from 0 to 255.
function shadesOf(colour) {
  const mixed = (other, share) =>
    `rgb(${colour.map((entry, k) => Math.round(entry + (other[k] - entry) * share)).join(",")})`;
  return {
    light: mixed([255, 255, 255], 0.42),
    middle: mixed([255, 255, 255], 0.1),
    dark: mixed([0, 0, 0], 0.38),
    edge: mixed([0, 0, 0], 0.55),
    flat: mixed([0, 0, 0], 0),
  };
}

function finish(context, style) {
  context.globalAlpha = style.opacity ?? 1;
  context.fill();
  if (style.edge) {
    context.strokeStyle = style.edge;
    context.lineWidth = 0.8;
    context.stroke();
  }
  context.globalAlpha = 1;
}

// Each maker returns what is drawn: {near, draw(context)}.

function tube(camera, from, to, radius, colour, options = {}) {
  const a = camera.seen(from), b = camera.seen(to), shades = shadesOf(colour);
  a.r = radius * a.scale;
  b.r = radius * b.scale;
  return {
    near: (a.near + b.near) / 2 + (options.ahead ?? 0),
    draw(context) {
      context.beginPath();
      hull(context, a, b);
      context.fillStyle = across(context, a, b, Math.max(a.r, b.r), shades);
      finish(context, { edge: shades.edge, opacity: options.opacity });
    },
  };
}

// A cylinder: its middle, the unit vector along its axis, half its length, its radius.
function drum(camera, middle, axis, half, radius, colour, options = {}) {
  const out = dot(axis, camera.toward) < 0 ? scaled(axis, -1) : axis; // towards the camera
  const ends = [plus(middle, out, -half), plus(middle, out, half)].map((each) => camera.seen(each));
  const flat = Math.abs(dot(out, camera.toward)), shades = shadesOf(colour);
  const heading = Math.atan2(-dot(out, camera.above), dot(out, camera.right));
  return {
    near: camera.seen(middle).near + (options.ahead ?? 0),
    draw(context) {
      const [back, front] = ends, r = [radius * back.scale, radius * front.scale];
      context.beginPath();
      context.ellipse(back.x, back.y, r[0] * flat, r[0], heading, Math.PI / 2, 1.5 * Math.PI);
      context.ellipse(front.x, front.y, r[1] * flat, r[1], heading, 1.5 * Math.PI, Math.PI / 2 + TURN);
      context.closePath();
      context.fillStyle = across(context, back, front, Math.max(...r), shades);
      finish(context, { edge: shades.edge, opacity: options.opacity });
      context.beginPath();
      context.ellipse(front.x, front.y, r[1] * flat, r[1], heading, 0, TURN);
      context.fillStyle = shades.middle;
      finish(context, { edge: shades.edge, opacity: options.opacity });
    },
  };
}

// An ellipsoid: its middle, principal axes as columns (9 numbers, row by row), its semi-axes.
function ellipsoid(camera, middle, axes, radii, colour, options = {}) {
  const at = camera.seen(middle), shades = shadesOf(colour);
  // The outline is that of the projected shape matrix A Aᵀ, with the semi-axes as columns of A.
  let xx = 0, xy = 0, yy = 0;
  for (let k = 0; k < 3; k++) {
    const half = scaled([axes[k], axes[3 + k], axes[6 + k]], radii[k] * at.scale);
    const x = dot(half, camera.right), y = -dot(half, camera.above);
    xx += x * x; xy += x * y; yy += y * y;
  }
  const mean = (xx + yy) / 2, apart = Math.hypot((xx - yy) / 2, xy);
  const long = Math.sqrt(mean + apart), short = Math.sqrt(Math.max(0, mean - apart));
  const heading = Math.atan2(2 * xy, xx - yy) / 2;
  return {
    near: at.near + (options.ahead ?? 0),
    draw(context) {
      context.save();
      context.translate(at.x, at.y);
      context.rotate(heading);
      context.scale(1, long > 0 ? Math.max(short, 0.5) / long : 1);
      const lit = [LIGHT[0] * Math.cos(heading) - LIGHT[1] * Math.sin(heading), -LIGHT[0] * Math.sin(heading) - LIGHT[1] * Math.cos(heading)];
      const gradient = context.createRadialGradient(0.45 * long * lit[0], 0.45 * long * lit[1], 0, 0, 0, long);
      gradient.addColorStop(0, shades.light);
      gradient.addColorStop(0.55, shades.flat);
      gradient.addColorStop(1, shades.dark);
      context.beginPath();
      context.arc(0, 0, long, 0, TURN);
      context.fillStyle = gradient;
      context.globalAlpha = options.opacity ?? 1;
      context.fill(); // in the gradient's coordinates
      context.restore();
      context.strokeStyle = shades.edge;
      context.lineWidth = 0.8;
      context.stroke();
    },
  };
}

const ROUND = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function ball(camera, middle, radius, colour, options = {}) {
  return ellipsoid(camera, middle, ROUND, [radius, radius, radius], colour, options);
}

// A flat shape: its corners in order.
function plate(camera, corners, colour, options = {}) {
  const seen = corners.map((corner) => camera.seen(corner));
  const normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])));
  const facing = Math.abs(dot(normal, unit(plus(plus(scaled(camera.right, LIGHT[0]), camera.above, LIGHT[1]), camera.toward, LIGHT[2]))));
  const shades = shadesOf(colour.map((entry) => entry * (0.62 + 0.38 * facing)));
  return {
    near: seen.reduce((sum, each) => sum + each.near, 0) / seen.length + (options.ahead ?? 0),
    draw(context) {
      context.beginPath();
      seen.forEach((each, k) => (k ? context.lineTo(each.x, each.y) : context.moveTo(each.x, each.y)));
      context.closePath();
      context.fillStyle = shades.flat;
      finish(context, { edge: shades.edge, opacity: options.opacity });
    },
  };
}

// A prism: the corners of its middle, convex and in order, and half its thickness; the faces that are seen.
function prism(camera, corners, half, colour, options = {}) {
  const normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])));
  const top = corners.map((each) => plus(each, normal, half)), bottom = corners.map((each) => plus(each, normal, -half));
  const sides = corners.map((_, k) => {
    const next = (k + 1) % corners.length;
    return [bottom[k], bottom[next], top[next], top[k]];
  });
  const eye = plus(camera.target, camera.toward, camera.distance);
  const faces = [...sides, top, bottom.slice().reverse()]
    .filter((face) => dot(cross(minus(face[1], face[0]), minus(face[2], face[0])), minus(eye, face[0])) > 0)
    .map((face) => plate(camera, face, colour, options));
  const middle = scaled(corners.reduce((sum, each) => plus(sum, each), [0, 0, 0]), 1 / corners.length);
  return {
    near: camera.seen(middle).near + (options.ahead ?? 0),
    draw: (context) => faces.forEach((face) => face.draw(context)),
  };
}

// A box: the pose of its middle and its edges.
function box(camera, pose, edges, colour, options = {}) {
  const [x, y, z] = edges.map((edge) => edge / 2);
  const corners = [[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]].map((corner) => placed(pose, corner));
  return prism(camera, corners, z, colour, options);
}

// A line of some pixels' width, with a head if it is an arrow.
function line(camera, from, to, css, options = {}) {
  const a = camera.seen(from), b = camera.seen(to);
  return {
    near: (a.near + b.near) / 2 + (options.ahead ?? 0),
    draw(context) {
      context.strokeStyle = context.fillStyle = css;
      context.lineWidth = options.width ?? 1.5;
      context.lineCap = "round";
      context.setLineDash(options.dash ?? []);
      context.beginPath();
      context.moveTo(a.x, a.y);
      context.lineTo(b.x, b.y);
      context.stroke();
      context.setLineDash([]);
      const length = Math.hypot(b.x - a.x, b.y - a.y);
      if (!options.arrow || length < 2) return;
      const head = Math.min(9, length * 0.6), heading = Math.atan2(b.y - a.y, b.x - a.x);
      context.beginPath();
      context.moveTo(b.x + 2 * Math.cos(heading), b.y + 2 * Math.sin(heading));
      for (const lean of [2.7, -2.7]) context.lineTo(b.x + head * Math.cos(heading + lean), b.y + head * Math.sin(heading + lean));
      context.closePath();
      context.fill();
    },
  };
}
