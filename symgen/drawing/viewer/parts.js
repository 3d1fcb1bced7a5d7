// What of a scene is drawn, layer by layer: solids with their depths, and labels.

const LAYERS = ["shapes", "names", "axes", "frames", "masses", "ellipsoids"];

const COLOURS = {
  light: {
    paper: "#ffffff", ink: "#1c2430", faint: "rgba(28,36,48,0.16)", ground: "rgba(120,140,165,0.10)", shadow: "rgba(20,30,50,0.10)",
    body: [158, 170, 186], base: [104, 114, 128], turn: [0, 114, 178], slide: [230, 159, 0], free: [0, 158, 115],
    passive: [125, 170, 200], cut: [213, 94, 0], mass: [204, 121, 167],
  },
  dark: {
    paper: "#12161c", ink: "#e8edf4", faint: "rgba(232,237,244,0.17)", ground: "rgba(150,175,210,0.07)", shadow: "rgba(0,0,0,0.35)",
    body: [172, 184, 200], base: [116, 128, 144], turn: [56, 160, 220], slide: [240, 178, 50], free: [30, 185, 140],
    passive: [130, 168, 194], cut: [232, 120, 40], mass: [222, 150, 190],
  },
};
const TRIAD = ["#D55E00", "#009E73", "#0072B2"];

// How a joint is drawn: of what shape, in what colour; a "way" shows how far it went.
function jointLook(kind) {
  if (["revolute", "continuous"].includes(kind)) return ["drum", "turn"];
  if (["helical", "cylindrical"].includes(kind)) return ["drum", "slide"];
  if (kind === "prismatic") return ["box", "slide"];
  if (kind === "inline") return ["box", "free"];
  if (["translation", "planar"].includes(kind)) return ["way", "free"];
  if (["universal", "spherical_zyx", "spherical"].includes(kind)) return ["ball", "free"];
  return ["", ""];
}

function jointSolid(camera, pose, axis, shape, radius, colour) {
  const at = origin(pose), ahead = { ahead: 0.3 * radius };
  if (shape === "drum") return drum(camera, at, unit(column(pose, axis)), 1.9 * radius, 1.75 * radius, colour, ahead);
  if (shape === "ball") return ball(camera, at, 1.75 * radius, colour, ahead);
  const edges = [3.1, 3.1, 3.1].map((edge) => edge * radius);
  edges[axis] = 4.2 * radius;
  return box(camera, pose, edges, colour, ahead);
}

function* bodyParts(scene, found, camera, colours, names) {
  const r = scene.radius, shaped = new Set(names.has("shapes") ? scene.solids.map((each) => each.body) : []);
  const behind = (each) => ({ ahead: shaped.has(each.body) ? -3 * r : 0 }); // shapes hide tubes
  for (const each of scene.plates) {
    const frame = onBody(found, each.body);
    const colour = each.body < 0 ? colours.base : colours.body;
    yield prism(camera, each.points.map((point) => placed(frame, point)), 0.8 * r, colour, behind(each));
  }
  for (const each of scene.tubes) {
    const frame = onBody(found, each.body), points = each.points.map((point) => placed(frame, point));
    const colour = each.body < 0 ? colours.base : colours.body;
    for (let k = 1; k < points.length; k++) yield tube(camera, points[k - 1], points[k], r, colour, behind(each));
  }
  for (const each of shaped.size ? scene.solids : []) {
    const pose = times(onBody(found, each.body), each.pose);
    const colour = each.colour.length ? each.colour.slice(0, 3).map((entry) => 255 * entry) : colours.body;
    const opacity = { opacity: each.colour.length ? each.colour[3] : 1 };
    if (each.shape === "box") yield box(camera, pose, each.size, colour, opacity);
    else if (each.shape === "sphere") yield ball(camera, origin(pose), each.size[0], colour, opacity);
    else yield drum(camera, origin(pose), column(pose, 2), each.size[1] / 2, each.size[0], colour, opacity);
  }
}

// Where the base stands: a foot below each joint that it carries or, where it is a body of its own, one at its root.
function* feet(scene, found, camera, colours) {
  const r = scene.radius, up = camera.up, still = new Set([-1]), places = [];
  const heavy = new Set(scene.masses.map((each) => each.body));
  scene.bodies.forEach((body, index) => {
    if (!still.has(body.parent)) return;
    if (body.kind === "fixed") {
      still.add(index);
      return;
    }
    if (["floating", "planar", "translation", "spherical"].includes(body.kind)) return;
    const at = origin(jointFrame(found, body)), root = origin(scene.root);
    const place = heavy.has(body.parent) || dot(minus(at, root), up) > 3 * r ? root : at;
    if (places.every((each) => size(minus(each, place)) > 1e-6)) places.push(place);
  });
  for (const place of places) {
    yield drum(camera, plus(place, up, -2.1 * r), up, 0.45 * r, 3.2 * r, colours.base, { ahead: -r });
    yield drum(camera, plus(place, up, -0.9 * r), up, 0.9 * r, 1.3 * r, colours.base, { ahead: -r });
  }
}

function* jointParts(scene, found, q, camera, colours, names) {
  const r = scene.radius;
  for (const body of scene.bodies) {
    const [shape, name] = jointLook(body.kind);
    let frame = jointFrame(found, body);
    const start = frame, axis = body.screws.length ? body.screws[0].axis : 2;
    for (const screw of body.screws) {
      if (names.has("axes")) yield* axisParts(camera, frame, screw, r, colours);
      frame = times(frame, screwed(screw, q));
    }
    if (body.free) frame = times(frame, freed(body.free, q));
    if (!shape) continue;
    const moves = body.screws.map((screw) => scene.entries[screw.q]).filter((entry) => entry.is_independent);
    const passive = scene.entries.some((entry) => !entry.is_independent) && !moves.length;
    const colour = passive ? colours.passive : colours[name], slide = minus(origin(frame), origin(start));
    if (shape === "way") {
      yield line(camera, origin(start), origin(frame), shadesOf(colour).flat, { width: 1.5, dash: [1, 5], ahead: r });
      continue;
    }
    if (size(slide) > 8 * r && shape === "box") {
      // A telescope: the sleeve, and the rod that it lets out.
      yield drum(camera, plus(origin(start), slide, 0.3), unit(slide), 0.2 * size(slide), 1.45 * r, colour);
      yield tube(camera, plus(origin(start), slide, 0.4), origin(frame), 0.6 * r, colours.base);
      yield tube(camera, origin(start), plus(origin(start), slide, 0.15), r, colours.body);
      continue;
    }
    yield jointSolid(camera, start, axis, shape, r, colour);
    if (size(slide) > 1e-9) yield tube(camera, origin(start), origin(frame), 0.6 * r, colours.base);
  }
  for (const cut of scene.cuts) {
    const ends = cut.ends.map((end) => times(onBody(found, end.body), end.pose));
    if (cut.kind === "rod") {
      yield tube(camera, origin(ends[0]), origin(ends[1]), 0.7 * r, colours.cut);
      for (const end of ends) yield ball(camera, origin(end), 1.2 * r, colours.cut);
      continue;
    }
    const [shape] = jointLook(cut.kind);
    if (shape) yield jointSolid(camera, ends[0], 2, shape, 0.96 * r, colours.cut);
  }
}

function* axisParts(camera, frame, screw, r, colours) {
  const at = origin(frame), along = unit(column(frame, screw.axis)), half = 6.5 * r;
  const colour = shadesOf(screw.turn ? colours.turn : colours.slide).flat;
  yield line(camera, plus(at, along, -half), at, colour, { width: 1.2, dash: [7, 3, 1.5, 3], ahead: half });
  yield line(camera, at, plus(at, along, half), colour, { width: 1.2, dash: [7, 3, 1.5, 3], arrow: true, ahead: half });
}

function* massParts(scene, found, camera, colours, names) {
  for (const each of scene.masses) {
    const frame = onBody(found, each.body), at = placed(frame, each.centre);
    if (names.has("ellipsoids") && each.radii.length) {
      const axes = [0, 1, 2].map((k) => turnedBy(frame, [each.axes[k], each.axes[3 + k], each.axes[6 + k]]));
      const rows = [0, 1, 2].flatMap((i) => axes.map((axis) => axis[i]));
      yield ellipsoid(camera, at, rows, each.radii, colours.mass, { opacity: 0.42 });
    }
    if (!names.has("masses")) continue;
    yield massMark(camera, at, colours);
    const stem = placed(frame, each.stem);
    if (size(minus(at, stem)) > 2 * scene.radius) {
      yield line(camera, stem, at, colours.ink, { width: 0.8, dash: [2, 3], ahead: camera.radius });
    }
  }
}

// The drawing office's sign of a mass centre: a disc in quarters.
function massMark(camera, point, colours) {
  const at = camera.seen(point), r = 4.6;
  return {
    near: at.near + camera.radius,
    draw(context) {
      context.beginPath();
      context.arc(at.x, at.y, r, 0, TURN);
      context.fillStyle = colours.paper;
      context.fill();
      context.fillStyle = context.strokeStyle = colours.ink;
      for (const start of [0, Math.PI]) {
        context.beginPath();
        context.moveTo(at.x, at.y);
        context.arc(at.x, at.y, r, start, start + Math.PI / 2);
        context.closePath();
        context.fill();
      }
      context.beginPath();
      context.arc(at.x, at.y, r, 0, TURN);
      context.lineWidth = 1;
      context.stroke();
    },
  };
}

function* triad(camera, pose, length, ahead) {
  for (let axis = 0; axis < 3; axis++) {
    const tip = plus(origin(pose), unit(column(pose, axis)), length);
    yield line(camera, origin(pose), tip, TRIAD[axis], { width: 2, arrow: true, ahead });
  }
}

function* frameParts(scene, found, camera) {
  const r = scene.radius, all = scene.frames.map((each) => times(onBody(found, each.body), each.pose));
  yield* triad(camera, scene.root, 7 * r, 4 * r);
  for (const pose of [...found, ...all]) yield* triad(camera, pose, 4.5 * r, 4 * r);
}

// The floor: a disc with a grid, and the shadow of the tubes, as one part that is drawn before all others, or after
// them where it is seen from below.
function floor(scene, found, camera, colours) {
  const { radius, floor: height, up } = camera;
  const below = (point) => plus(point, up, height - dot(point, up));
  const middle = below(camera.middle), wide = 1.25 * radius, step = gridStep(radius);
  const ring = Array.from({ length: 72 }, (_, k) => {
    const angle = (k * TURN) / 72;
    return camera.seen(plus(plus(middle, camera.ahead, wide * Math.cos(angle)), camera.side, wide * Math.sin(angle)));
  });
  const lines = [];
  for (const [along, beside] of [[camera.ahead, camera.side], [camera.side, camera.ahead]]) {
    const offset = dot(middle, beside);
    for (let k = Math.ceil((offset - wide) / step); k * step < offset + wide; k++) {
      const away = k * step - offset, half = Math.sqrt(wide * wide - away * away);
      const at = plus(middle, beside, away);
      lines.push([camera.seen(plus(at, along, -half)), camera.seen(plus(at, along, half))]);
    }
  }
  const shadows = scene.tubes.flatMap((each) => {
    const points = each.points.map((point) => camera.seen(below(placed(onBody(found, each.body), point))));
    return points.slice(1).map((point, k) => [points[k], point]);
  });
  return (context) => {
    context.beginPath();
    ring.forEach((each, k) => (k ? context.lineTo(each.x, each.y) : context.moveTo(each.x, each.y)));
    context.closePath();
    context.fillStyle = colours.ground;
    context.fill();
    strokes(context, lines, colours.faint, 0.8);
    strokes(context, shadows, colours.shadow, 2.2 * scene.radius * camera.scale);
  };
}

function strokes(context, pairs, css, width) {
  context.beginPath();
  for (const [a, b] of pairs) {
    context.moveTo(a.x, a.y);
    context.lineTo(b.x, b.y);
  }
  context.strokeStyle = css;
  context.lineWidth = width;
  context.lineCap = "round";
  context.stroke();
}

// The distance of the floor's lines: 1, 2 or 5 times a power of ten, about a third of the radius.
function gridStep(radius) {
  const wanted = radius / 3, power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((each) => each * power).reduce((best, each) =>
    Math.abs(Math.log(each / wanted)) < Math.abs(Math.log(best / wanted)) ? each : best);
}
