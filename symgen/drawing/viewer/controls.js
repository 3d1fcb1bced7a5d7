// Sliders for the coordinates of a view's scene; loops close as one drags.

const CONTROLS_STYLE = `
.controls { font: 13px system-ui, sans-serif; display: grid; gap: 6px; padding: 10px 12px; color: var(--ink); background: var(--paper); }
.controls label { display: grid; grid-template-columns: 1fr auto; column-gap: 8px; overflow-wrap: anywhere; }
.controls input { grid-column: 1 / -1; width: 100%; margin: 0; accent-color: #0072B2; }
.controls output { font-variant-numeric: tabular-nums; }
.controls p { margin: 0; min-height: 1.2em; }
.controls button { justify-self: start; font: inherit; padding: 4px 10px; border-radius: 999px; border: 1px solid currentColor;
  background: transparent; color: inherit; cursor: pointer; }
`;

const FINEST = 0.1; // so far loops are followed in one step, in rad and m

// The coordinates that a user may choose: {name, unit, lower, upper, get(q), set(q, value)}.
function choices(scene) {
  const found = scene.entries
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry }) => entry.lower !== null && entry.is_independent)
    .map(({ entry, index }) => ({
      name: entry.name, unit: entry.unit, lower: entry.lower, upper: entry.upper, first: index,
      get: (q) => q[index],
      set: (q, value) => { q[index] = value; },
    }));
  for (const body of scene.bodies) {
    const first = body.free ? body.free.quaternion : null;
    if (first === null || !scene.entries[first].is_independent) continue;
    ["roll", "pitch", "yaw"].forEach((name, axis) => found.push({
      name: `${body.joint} ${name}`, unit: "rad", lower: axis === 1 ? -1.57 : -Math.PI, upper: axis === 1 ? 1.57 : Math.PI, first,
      get: (q) => angles(q.slice(first, first + 4))[axis],
      set(q, value) {
        const turned = angles(q.slice(first, first + 4));
        turned[axis] = value;
        quaternion(turned).forEach((entry, k) => { q[first + k] = entry; });
      },
    }));
  }
  return found.sort((one, other) => one.first - other.first);
}

// Roll, pitch and yaw of a quaternion x y z w: turns about fixed x, y, z.
function angles(entries) {
  const m = orientation(entries);
  return [Math.atan2(m[9], m[10]), Math.asin(Math.max(-1, Math.min(1, -m[8]))), Math.atan2(m[4], m[0])];
}

function quaternion([roll, pitch, yaw]) {
  const [a, b, c] = [roll / 2, pitch / 2, yaw / 2];
  const [sa, sb, sc] = [a, b, c].map(Math.sin), [ca, cb, cc] = [a, b, c].map(Math.cos);
  return [sa * cb * cc - ca * sb * sc, ca * sb * cc + sa * cb * sc, ca * cb * sc - sa * sb * cc, ca * cb * cc + sa * sb * sc];
}

// The q with a coordinate at this value and loops closed, followed from a q where they are; null where they open.
function followed(scene, q, choice, value) {
  const fixed = scene.entries.flatMap((entry, index) => (entry.is_independent ? [index] : []));
  const isTied = scene.cuts.length + scene.ties.length > 0, start = choice.get(q);
  const steps = isTied ? Math.max(1, Math.ceil(Math.abs(value - start) / FINEST)) : 1;
  let now = Array.from(q);
  for (let step = 1; step <= steps && now; step++) {
    choice.set(now, start + ((value - start) * step) / steps);
    if (isTied) now = closed(scene, now, fixed);
  }
  return now;
}

// Sliders in an element, which move the robot of a view; `changed(q)` is called after each move.
function controls(place, view, changed = () => {}) {
  const scene = view.scene, root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  const style = document.createElement("style"), box = document.createElement("div"), said = document.createElement("p");
  style.textContent = CONTROLS_STYLE;
  box.className = "controls";
  said.setAttribute("role", "status");
  const sliders = choices(scene).map((choice) => {
    const label = document.createElement("label"), name = document.createElement("span");
    const input = document.createElement("input"), output = document.createElement("output");
    name.textContent = choice.name;
    input.type = "range";
    input.min = choice.lower;
    input.max = choice.upper;
    input.step = "any";
    input.setAttribute("aria-label", choice.name);
    input.addEventListener("keydown", (event) => {
      const sense = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!sense) return; // a step of any size has none for keys
      event.preventDefault();
      input.value = Number(input.value) + (sense * (choice.upper - choice.lower)) / 100;
      input.dispatchEvent(new Event("input"));
    });
    input.addEventListener("input", () => {
      const q = followed(scene, view.q, choice, Number(input.value));
      said.textContent = q ? "" : "The loops do not close there.";
      if (q) view.pose(q);
      show();
      if (q) changed(q);
    });
    label.append(name, output, input);
    box.append(label);
    return { choice, input, output };
  });
  const home = document.createElement("button");
  home.type = "button";
  home.textContent = "back to the start";
  home.addEventListener("click", () => {
    view.pose(view.start);
    said.textContent = "";
    show();
    changed(view.q);
  });
  box.append(said, home);
  root.replaceChildren(style, box);

  function show() {
    for (const { choice, input, output } of sliders) {
      const value = choice.get(view.q);
      input.value = value;
      output.textContent = `${value.toFixed(3)} ${choice.unit}`;
      input.setAttribute("aria-valuetext", output.textContent);
    }
  }
  show();
  return { show };
}
