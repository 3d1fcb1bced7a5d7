// Numbers of a state: matrices as heat maps, the pose of the tool, its Jacobian, energies.

const MOST_CELLS = 13; // wider matrices have no numbers in their cells

// A heat map in a table: blue is positive, vermilion negative, paler is smaller.
class HeatMap {
  constructor(place, rows, columns, caption) {
    this.size = [rows.length, columns.length];
    this.isWide = columns.length > MOST_CELLS;
    this.cells = [];
    const head = element("tr", {}, element("td"), ...columns.map((name, k) => element("th", { scope: "col", title: name }, this.isWide ? String(k + 1) : name)));
    const body = rows.map((name, i) => {
      const cells = columns.map(() => element("td"));
      this.cells.push(...cells);
      return element("tr", {}, element("th", { scope: "row", title: name }, rows.length > MOST_CELLS ? String(i + 1) : name), ...cells);
    });
    this.names = [rows, columns];
    const table = element("table", { class: this.isWide ? "heat wide" : "heat" }, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body));
    place.append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table));
  }

  show(values) {
    const most = largest(Array.from(values).filter(Number.isFinite)) || 1, columns = this.size[1];
    this.cells.forEach((cell, k) => {
      const value = values[k], text = shown(value, 3, most);
      const share = Number.isFinite(value) && text !== "0" ? Math.round(8 + 52 * Math.sqrt(Math.abs(value) / most)) : 0;
      cell.style.background = share ? `color-mix(in srgb, var(${value > 0 ? "--plus" : "--minus"}) ${share}%, transparent)` : "";
      if (this.isWide) cell.title = `${this.names[0][Math.floor(k / columns)]}, ${this.names[1][k % columns]}: ${text}`;
      else say(cell, text);
    });
  }
}

class Panels {
  constructor(mechanism, view) {
    this.mechanism = mechanism;
    this.view = view;
    const { robot } = mechanism, names = robot.joints.map(({ name }) => name);
    this.reach = view.scene.camera.radius;
    if (mechanism.has("inertia_matrix")) this.inertia = new HeatMap(byId("inertia"), names, names, "Inertia matrix, SI units");
    if (mechanism.has("jacobian")) {
      this.jacobian = new HeatMap(byId("jacobian"), ["ωx", "ωy", "ωz", "vx", "vy", "vz"], names, `Jacobian of ${robot.frame}`);
      this.pose = new HeatMap(byId("pose"), ["x", "y", "z"], ["x axis", "y axis", "z axis", "origin, m"], `Pose of ${robot.frame} in the base frame`);
    }
    this.wish = byId("ellipsoid");
    this.wish?.addEventListener("change", () => this.show(this.q, this.qd));
  }

  // Everything at a state; while it moves fast, what is slow to read is left for later.
  show(q, qd) {
    const { mechanism } = this, { nv } = mechanism;
    [this.q, this.qd] = [q, qd];
    if (this.inertia) {
      const inertia = mechanism.call("inertia_matrix", q);
      this.inertia.show(inertia);
      say(byId("condition"), shown(condition(inertia, nv)));
    }
    const kinetic = mechanism.kinetic(q, qd), potential = mechanism.potential(q);
    say(byId("kinetic"), `${shown(kinetic, 6)} J`);
    say(byId("potential"), `${shown(potential, 6)} J`);
    say(byId("total"), `${shown(kinetic + potential, 6)} J`);
    if (mechanism.has("center_of_mass")) {
      const centre = mechanism.call("center_of_mass", q);
      say(byId("centre"), `${Array.from(centre, (value) => shown(value, 4, this.reach)).join(", ")} m`);
    }
    this.overlay(q);
  }

  overlay(q) {
    if (!this.jacobian) return;
    const { mechanism } = this, pose = mechanism.call("forward_kinematics", q), jacobian = mechanism.call("jacobian", q);
    this.pose.show(pose.slice(0, 12));
    this.jacobian.show(jacobian);
    const { values, vectors } = singular(jacobian.slice(3 * mechanism.nv), 3, mechanism.nv), sorted = values.toSorted((a, b) => b - a);
    say(byId("singular"), sorted.map((value) => shown(value, 4, sorted[0])).join(", "));
    say(byId("manipulability"), shown(sorted.reduce((all, value) => all * value, 1), 4, sorted[0] ** 3));
    this.scale ??= 0.3 * this.reach / (sorted[0] || 1);
    // Next to singular postures it would hide the robot: it is drawn as large as this at most.
    const radii = values.map((value) => Math.min(Math.max(this.scale * value, 0.004 * this.reach), this.reach));
    const isDrawn = this.wish.checked && radii.every(Number.isFinite);
    this.view.overlay(isDrawn ? [{ kind: "ellipsoid", centre: [pose[3], pose[7], pose[11]], axes: Array.from(vectors), radii }] : []);
  }
}
