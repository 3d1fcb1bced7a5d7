// Sliders for the coordinates, each with the force that holds its joint.

const FINEST = 0.1; // so far loops are followed in one step, in rad or m

class Sliders {
  // `moved(q)` is called when a slider has moved the robot.
  constructor(place, mechanism, scene, moved) {
    this.mechanism = mechanism;
    this.moved = moved;
    const choices = symgenViewer.choices(scene);
    this.rows = choices.map((choice, k) => this.row(choice, k));
    place.append(...this.rows.map(({ box }) => box));
    this.forces = new Map();
    this.addForces(place, choices, scene);
  }

  row(choice, k) {
    const id = `coordinate${k}`, input = element("input", { type: "range", id, min: choice.lower, max: choice.upper, step: "any" });
    const number = element("input", { type: "number", step: "any", "aria-label": `${choice.name} in ${choice.unit}` });
    const given = element("span", { class: "given" }, number, element("span", { class: "unit" }, choice.unit));
    const box = element("div", { class: "slider" }, element("label", { for: id }, choice.name), given, input);
    input.addEventListener("input", () => this.set(choice, Number(input.value)));
    input.addEventListener("keydown", (event) => {
      const sense = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (!sense) return; // sliders without steps do not move far by keys
      event.preventDefault();
      const value = choice.get(this.q) + sense * (choice.upper - choice.lower) / 100;
      this.set(choice, Math.min(choice.upper, Math.max(choice.lower, value)));
    });
    number.addEventListener("change", () => {
      const value = Number(number.value);
      if (number.value !== "" && Number.isFinite(value)) this.set(choice, Math.min(choice.upper, Math.max(choice.lower, value)));
      else this.show(this.q);
    });
    return { choice, box, input, number };
  }

  // Beside the slider of a joint its force; forces of joints without one stand below.
  addForces(place, choices, scene) {
    const rest = [];
    this.mechanism.robot.joints.forEach((joint, k) => {
      const bar = element("span", { class: "bar" }), text = element("output", { class: "force" });
      const track = element("span", { class: "track", "aria-hidden": "true" }, bar);
      const index = choices.findIndex((choice) => choice.name === joint.name);
      if (index >= 0) {
        text.setAttribute("aria-label", `${joint.effort} of ${joint.name}`);
        text.htmlFor = this.rows[index].input.id;
        this.rows[index].box.append(text, track);
      } else {
        rest.push(element("div", { class: "slider" }, element("span", {}, joint.name), text, track));
      }
      this.forces.set(k, { bar, text, unit: joint.force_unit, size: 0 });
    });
    if (rest.length) place.append(element("h3", {}, "Forces of joints without a slider"), ...rest);
  }

  // Move a coordinate; where loops do not close the robot stays as it was.
  set(choice, value) {
    const q = this.followed(choice, value);
    say(byId("assembly"), q ? "" : `The loops do not close with ${choice.name} at ${shown(value)} ${choice.unit}. The robot stays where it was.`);
    if (q) this.moved(q);
    else this.show(this.q);
  }

  followed(choice, value) {
    const start = choice.get(Array.from(this.q)), isTied = Boolean(this.mechanism.robot.places);
    const steps = isTied ? Math.max(1, Math.ceil(Math.abs(value - start) / FINEST)) : 1;
    let now = Array.from(this.q);
    for (let step = 1; step <= steps && now; step++) {
      choice.set(now, step === steps ? value : start + ((value - start) * step) / steps);
      now = this.mechanism.closed(now);
    }
    return now && now.every(Number.isFinite) ? now : null;
  }

  // Show the coordinates of q and, unless it moves, the forces that hold it.
  show(q, forces = null) {
    this.q = q;
    for (const { choice, input, number } of this.rows) {
      const value = choice.get(Array.from(q));
      input.value = value;
      input.setAttribute("aria-valuetext", `${shown(value)} ${choice.unit}`);
      if (document.activeElement !== number || !number.matches(":focus-visible")) number.value = Number(value.toFixed(5));
    }
    const size = forces ? largest(forces) : 0;
    for (const [k, force] of this.forces) {
      const value = forces ? forces[k] : NaN;
      force.size = Math.max(force.size, Math.abs(value) || 0);
      say(force.text, forces ? `${shown(value, 4, size)} ${force.unit}` : "—");
      force.bar.style.cssText = forces && force.size ? barStyle(value, Math.max(...[...this.forces.values()].filter((each) => each.unit === force.unit).map((each) => each.size))) : "";
    }
  }
}

function barStyle(value, most) {
  const share = Math.min(50, 50 * Math.abs(value) / (most || 1)) || 0;
  return `width: ${share}%; ${value < 0 ? "right: 50%; background: var(--minus)" : "left: 50%; background: var(--plus)"}`;
}
