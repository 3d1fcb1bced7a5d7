// The page comes alive: view, sliders, numbers, motions, copying, themes.

function start() {
  const { robot, scene } = JSON.parse(byId("robot-data").textContent);
  const mechanism = new Mechanism(globalThis.symgenDynamics, robot);
  const place = byId("view");
  place.replaceChildren();
  const view = symgenViewer(place, scene, { theme: document.documentElement.dataset.theme ?? "auto" });
  const still = new Float64Array(mechanism.nv);
  let q = mechanism.closed(scene.start) ?? Float64Array.from(scene.start);
  const home = Float64Array.from(q), panels = new Panels(mechanism, view);
  let told = 0;

  function rest(wanted) {
    q = Float64Array.from(wanted);
    view.pose(q);
    sliders.show(q, mechanism.call("inverse_dynamics", q, still, still));
    panels.show(q, still);
  }

  // A robot whose base floats falls out of sight: the view goes along with its base.
  function beside(q) {
    const seen = Float64Array.from(q);
    for (const { q: first, positions } of robot.free) {
      positions.forEach((name, k) => { if (["x", "y", "z"].includes(name)) seen[first + k] = home[first + k]; });
    }
    return seen;
  }

  function show(wanted, qd) {
    q = Float64Array.from(wanted);
    view.pose(beside(q));
    const now = performance.now();
    if (now - told < 100) { // numbers that change faster nobody reads
      panels.overlay(beside(q));
      return;
    }
    told = now;
    sliders.show(q);
    panels.show(q, qd);
    panels.overlay(beside(q));
  }

  const sliders = new Sliders(byId("sliders"), mechanism, scene, (wanted) => {
    theatre.stop("");
    rest(wanted);
  });
  sliders.q = q;
  const theatre = new Theatre(mechanism, robot, () => q, show, rest);
  rest(q);
  themes(view);
  copying();
  globalThis.symgenReport = {
    mechanism, view, scene, robot, sliders, theatre, rest,
    get q() { return q; },
    fall: (from, seconds) => falls(mechanism, robot, from, seconds),
    move: (from, to, seconds, count) => move(mechanism, from, to, seconds, count),
  };
  document.documentElement.dataset.state = "ready";
}

// A fall without pictures: where it ended, with its drift and time.
function falls(mechanism, robot, from, seconds) {
  const fall = new Fall(mechanism, from, robot.pair), before = performance.now();
  let worst = 0;
  for (let k = 1; k <= 60 * seconds && !fall.stopped; k++) {
    fall.advance(k / 60);
    worst = Math.max(worst, Math.abs(fall.drift));
  }
  return { t: fall.t, q: Array.from(fall.q), qd: Array.from(fall.qd), drift: worst, stopped: fall.stopped, calls: fall.integrator.calls, ms: performance.now() - before };
}

function themes(view) {
  const button = byId("theme"), order = ["auto", "light", "dark"];
  const show = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = `Colours: ${name === "auto" ? "as the system" : name}`;
    view.theme(name);
  };
  let now = 0;
  button.hidden = false;
  button.addEventListener("click", () => {
    now = (now + 1) % order.length;
    show(order[now]);
  });
}

// Buttons that copy the text beside them.
function copying() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) return;
    const text = byId(button.dataset.copy).textContent, name = button.textContent;
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      isCopied = copiedBySelection(text); // pages from files may not use the clipboard of some browsers
    }
    say(byId("copied"), isCopied ? `Copied as ${name}.` : "The browser does not let pages copy; open the text and select it.");
    button.classList.toggle("done", isCopied);
    setTimeout(() => button.classList.remove("done"), 1200);
  });
}

function copiedBySelection(text) {
  const area = element("textarea", { class: "hidden", "aria-hidden": "true", tabindex: "-1" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

try {
  start();
} catch (error) {
  document.documentElement.dataset.state = "failed";
  byId("trouble").hidden = false;
  say(byId("trouble"), `The live part of this page did not start: ${error.message}`);
  throw error;
}
