// The view: a canvas that shows a scene at q, turned by mouse, touch and keyboard, and buttons for what is shown.

const STYLE = `
:host { display: block; position: relative; }
.view { position: relative; width: 100%; height: 100%; }
canvas { display: block; width: 100%; height: 100%; touch-action: none; cursor: grab; border-radius: 8px; }
canvas:active { cursor: grabbing; }
canvas:focus-visible { outline: 2px solid #0072B2; outline-offset: 2px; }
.tools { position: absolute; left: 8px; bottom: 8px; display: flex; flex-wrap: wrap; gap: 4px; }
button { font: 12px system-ui, sans-serif; padding: 4px 9px; border-radius: 999px; cursor: pointer;
  border: 1px solid var(--line); background: var(--paper); color: var(--ink); }
button[aria-pressed="true"] { background: var(--ink); color: var(--paper); }
button:focus-visible { outline: 2px solid #0072B2; outline-offset: 1px; }
@media print { .tools { display: none; } }
`;

class View {
  constructor(place, scene, options) {
    this.scene = scene;
    this.camera = new Camera(scene);
    this.shown = new Set(options.layers ?? ["shapes", "axes", "masses"]);
    this.extras = [];
    this.q = Array.from(options.q ?? scene.start);
    this.start = this.q.slice();
    this.wanted = options.theme ?? "auto";
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.ended = new AbortController();
    this.build(place, options.tools ?? true);
    this.listen();
    this.draw();
  }

  build(place, tools) {
    const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
    this.root = root;
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.frame = document.createElement("div");
    this.frame.className = "view";
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-roledescription", "3-D view");
    const what = this.scene.description ? `${this.scene.name}, ${this.scene.description}` : this.scene.name;
    this.canvas.setAttribute("aria-label", `${what}. Arrow keys turn the view, plus and minus zoom, 0 resets.`);
    this.context = this.canvas.getContext("2d");
    this.frame.append(this.canvas);
    if (tools) this.frame.append(this.tools());
    root.replaceChildren(style, this.frame);
  }

  tools() {
    const bar = document.createElement("div");
    bar.className = "tools";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "What is shown");
    for (const name of LAYERS.filter((each) => each !== "shapes" || this.scene.solids.length)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.setAttribute("aria-pressed", String(this.shown.has(name)));
      button.addEventListener("click", () => {
        this.layer(name, !this.shown.has(name));
        button.setAttribute("aria-pressed", String(this.shown.has(name)));
      });
      bar.append(button);
    }
    const reset = document.createElement("button");
    reset.type = "button";
    reset.textContent = "reset view";
    reset.addEventListener("click", () => this.reset());
    bar.append(reset);
    return bar;
  }

  listen() {
    const signal = { signal: this.ended.signal };
    const held = new Map();
    const canvas = this.canvas;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, [event.clientX, event.clientY]);
    }, signal);
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => held.delete(event.pointerId), signal);
    }
    canvas.addEventListener("pointermove", (event) => {
      if (!held.has(event.pointerId)) return;
      const before = [...held.values()].map((each) => each.slice()), last = held.get(event.pointerId);
      const x = event.clientX - last[0], y = event.clientY - last[1];
      held.set(event.pointerId, [event.clientX, event.clientY]);
      if (held.size === 1) {
        if (event.shiftKey || event.buttons === 2 || event.buttons === 4) this.camera.pan(x, y);
        else this.camera.turn(-x * 0.008, y * 0.008);
      } else {
        const [a, b] = [...held.values()], apart = (p, r) => Math.hypot(p[0] - r[0], p[1] - r[1]) || 1;
        this.camera.pull(apart(a, b) / apart(before[0], before[1]));
        this.camera.pan(x / held.size, y / held.size);
      }
      this.later();
    }, signal);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), signal);
    canvas.addEventListener("dblclick", () => this.reset(), signal);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.camera.pull(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
      this.later();
    }, { passive: false, ...signal });
    canvas.addEventListener("keydown", (event) => this.key(event), signal);
    this.scheme.addEventListener("change", () => this.later(), signal);
    addEventListener("beforeprint", () => { this.printing = true; this.draw(); }, signal);
    addEventListener("afterprint", () => { this.printing = false; this.draw(); }, signal);
    this.watcher = new ResizeObserver(() => this.later()); // drawing at once could resize again
    this.watcher.observe(this.canvas);
  }

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way && event.shiftKey) this.camera.pan(20 * way[0], 20 * way[1]);
    else if (way) this.camera.turn(-0.09 * way[0], 0.09 * way[1]);
    else if (event.key === "+" || event.key === "=") this.camera.pull(1.15);
    else if (event.key === "-") this.camera.pull(1 / 1.15);
    else if (event.key === "0" || event.key === "Home") this.camera.reset();
    else return;
    event.preventDefault();
    this.later();
  }

  // ---- what others call

  // Show the scene at q.
  pose(q) {
    this.q = Array.from(q);
    this.later();
  }

  // Show also: {kind: "ellipsoid", centre, axes (9), radii, colour}, {kind: "arrow", from, to, colour}, {kind: "path", points, colour}.
  overlay(extras) {
    this.extras = Array.from(extras);
    this.later();
  }

  // Show or hide one of the layers.
  layer(name, on) {
    if (!LAYERS.includes(name)) throw new RangeError(`no layer ${name}; there are: ${LAYERS.join(", ")}`);
    if (on) this.shown.add(name);
    else this.shown.delete(name);
    this.later();
  }

  // "light", "dark", or "auto" as the browser says.
  theme(name) {
    this.wanted = name;
    this.later();
  }

  reset() {
    this.camera.reset();
    this.later();
  }

  // The frames of all bodies as they are shown, 12 numbers each.
  frames() {
    return poses(this.scene, this.q);
  }

  end() {
    this.ended.abort();
    this.watcher.disconnect();
    this.root.replaceChildren();
  }

  // ---- drawing

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  get isDark() {
    return !this.printing && (this.wanted === "dark" || (this.wanted === "auto" && this.scheme.matches));
  }

  draw() {
    const ratio = globalThis.devicePixelRatio || 1;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width || !height) return;
    for (const [key, value] of [["width", width], ["height", height]]) {
      const pixels = Math.round(value * ratio);
      if (this.canvas[key] !== pixels) this.canvas[key] = pixels;
    }
    const colours = COLOURS[this.isDark ? "dark" : "light"], context = this.context;
    for (const [key, value] of [["--paper", colours.paper], ["--ink", colours.ink], ["--line", colours.faint]]) {
      this.frame.style.setProperty(key, value);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const found = poses(this.scene, this.q);
    this.camera.include(corners(this.scene, found));
    this.camera.look(width, height);
    const ground = floor(this.scene, found, this.camera, colours), isAbove = this.camera.elevation >= 0;
    if (isAbove) ground(context);
    const parts = [
      ...feet(this.scene, found, this.camera, colours),
      ...bodyParts(this.scene, found, this.camera, colours, this.shown),
      ...jointParts(this.scene, found, this.q, this.camera, colours, this.shown),
      ...massParts(this.scene, found, this.camera, colours, this.shown),
      ...(this.shown.has("frames") ? frameParts(this.scene, found, this.camera) : []),
      ...this.extras.flatMap((each) => this.extraParts(each)),
    ];
    parts.sort((one, other) => one.near - other.near);
    for (const part of parts) part.draw(context);
    if (!isAbove) ground(context);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = colours.ink;
    context.textBaseline = "top";
    context.textAlign = "right";
    context.fillText(`grid ${Number(gridStep(this.camera.radius).toPrecision(1))} m`, width - 10, 10);
    context.textAlign = "left";
    if (this.shown.has("names")) this.labels(found, colours);
  }

  extraParts(each) {
    const colour = each.colour ?? [204, 121, 167], css = shadesOf(colour).flat;
    if (each.kind === "ellipsoid") return [ellipsoid(this.camera, each.centre, each.axes, each.radii, colour, { opacity: 0.5 })];
    if (each.kind === "arrow") return [line(this.camera, each.from, each.to, css, { width: 2.5, arrow: true, ahead: this.camera.radius })];
    return each.points.slice(1).map((point, k) => line(this.camera, each.points[k], point, css, { width: 1.5 }));
  }

  labels(found, colours) {
    const context = this.context;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    const wanted = this.scene.bodies.filter((body) => body.kind !== "fixed").map((body) => ({
      text: body.joint, ...this.camera.seen(origin(jointFrame(found, body))),
    }));
    wanted.sort((one, other) => other.near - one.near);
    const taken = [];
    for (const { text, x, y } of wanted) {
      const box = [x + 9, y - 16, x + 9 + context.measureText(text).width, y - 2];
      if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
      taken.push(box); // of names that would lie on each other the nearest is shown
      context.lineWidth = 3.5;
      context.strokeStyle = colours.paper;
      context.strokeText(text, x + 9, y - 9);
      context.fillStyle = colours.ink;
      context.fillText(text, x + 9, y - 9);
    }
  }
}

// A view of a scene in an element, which should have a height. Options: theme, layers, q, tools.
function symgenViewer(place, scene, options = {}) {
  return new View(place, scene, options);
}
