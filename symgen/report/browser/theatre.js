// Motions on the page: falling and following, played in real time and plotted.

const PLOTTED = 0.12; // seconds between plots while a motion plays
const FRAME = 1000 / 60; // ms
const LONGEST = 0.25; // seconds that a frame stands for at most

class Theatre {
  // `show(q, qd)` shows a state while it moves, `rest(q)` one at rest.
  constructor(mechanism, robot, present, show, rest) {
    Object.assign(this, { mechanism, robot, present, show, rest, playing: 0 });
    this.home = Float64Array.from(present());
    this.goal = this.firstGoal();
    byId("fall").addEventListener("click", () => this.fall());
    byId("follow").addEventListener("click", () => this.follow());
    byId("stop").addEventListener("click", () => this.stop("Stopped."));
    byId("goal").addEventListener("click", () => {
      this.goal = Float64Array.from(this.present());
      this.tell("The goal is the present posture. Move the robot to where the motion is to begin.");
    });
    byId("home").addEventListener("click", () => {
      this.stop("");
      this.rest(this.home);
    });
  }

  tell(text) {
    say(byId("motion-status"), text);
  }

  seconds(id) {
    const value = Number(byId(id).value);
    return value > 0 && value <= 60 ? value : null;
  }

  // Stop what plays.
  stop(text) {
    if (this.playing) cancelAnimationFrame(this.playing);
    const was = this.playing;
    this.playing = 0;
    byId("stop").disabled = true;
    if (was) this.rest(this.present());
    if (was || !text) this.tell(text);
  }

  // Call `each(seconds played)` every frame until it says that it has ended; a hidden page pauses.
  play(each) {
    byId("stop").disabled = false;
    let last = null, time = 0;
    const frame = (now) => {
      time += Math.min((now - (last ?? now)) / 1000, LONGEST);
      last = now;
      this.playing = requestAnimationFrame(frame);
      if (each(time)) this.stop("");
    };
    this.playing = requestAnimationFrame(frame);
  }

  // ---- falling

  fall() {
    this.stop("");
    const end = this.seconds("fall-time");
    if (end === null) {
      this.tell("Expected a duration above 0 and up to 60 s.");
      return;
    }
    const fall = new Fall(this.mechanism, this.present(), this.robot.pair), record = new Records();
    record.add(fall);
    let frames = 0, spent = 0, plotted = -1;
    this.tell("Falling.");
    this.play((time) => {
      const before = performance.now();
      fall.advance(Math.min(time, end));
      spent += performance.now() - before;
      frames += 1;
      record.add(fall);
      this.show(fall.q, fall.qd);
      const done = time >= end || fall.stopped !== "";
      if (done || time - plotted > PLOTTED) {
        plotted = time;
        record.draw(this.mechanism, end);
        this.tellFigures(fall, spent, frames);
      }
      if (done) requestAnimationFrame(() => this.tell(fall.stopped || `Fell for ${shown(fall.t, 3)} s.`));
      return done;
    });
  }

  // What the dynamics of 1/60 s of motion cost, whatever the rate of frames.
  tellFigures(fall, spent, frames) {
    if (!(fall.t > 0)) return;
    const cost = spent / fall.t / 60;
    say(byId("drift"), shown(fall.drift, 2));
    say(byId("frame-time"), `${shown(cost, 2)} ms of ${shown(FRAME, 3)} ms (${shown(100 * cost / FRAME, 2)} %); ${shown(frames / fall.t, 3)} frames a second`);
  }

  // ---- following

  // The usual move, or the largest part of it along which loops close.
  firstGoal() {
    const { start, end } = this.robot.usual;
    for (const share of [1, 0.5, 0.25, 0.1, 0.05]) {
      const goal = Float64Array.from(this.home, (value, k) => value + share * (end[k] - start[k]));
      const reached = move(this.mechanism, this.home, goal, 1, 41);
      if (reached.until === 1) return Float64Array.from(reached.q.at(-1));
    }
    return Float64Array.from(this.home);
  }

  follow() {
    this.stop("");
    const T = this.seconds("follow-time"), start = Float64Array.from(this.present());
    if (T === null) {
      this.tell("Expected a duration above 0 and up to 60 s.");
      return;
    }
    const found = move(this.mechanism, start, this.goal, T);
    if (found.t.length < 2) {
      this.tell("The loops do not close along this motion.");
      return;
    }
    const halt = found.until < T ? `The loops do not close, or forces are no numbers, beyond t = ${shown(found.until, 3)} s of this motion.` : "";
    plotMove(this.mechanism, found, T);
    byId("drift").textContent = byId("frame-time").textContent = "—";
    this.tell(halt || "Following.");
    this.play((time) => {
      const now = Math.min(time, found.until), state = moveAt(this.mechanism, start, this.goal, now, T, nearest(found, now));
      if (state) this.show(state.q, state.qd);
      if (time < found.until) return false;
      requestAnimationFrame(() => this.tell(halt || `Followed the motion of ${shown(T, 3)} s.`));
      return true;
    });
  }
}

const nearest = (found, t) => found.q[Math.min(found.q.length - 1, Math.round((t / (found.t.at(-1) || 1)) * (found.q.length - 1)))];

// What was met along a fall.
class Records {
  constructor() {
    Object.assign(this, { t: [], q: [], kinetic: [], potential: [] });
  }

  add(fall) {
    this.t.push(fall.t);
    this.q.push(Float64Array.from(fall.q));
    this.kinetic.push(fall.kinetic);
    this.potential.push(fall.potential - fall.start);
  }

  draw(mechanism, until) {
    const total = this.kinetic.map((value, k) => value + this.potential[k]);
    plotPositions(mechanism, this.t, this.q, until);
    plot(byId("plot-forces"), {
      title: "Energy since the start", unit: "J", t: this.t, until,
      series: [{ name: "kinetic", values: this.kinetic }, { name: "potential", values: this.potential }, { name: "sum", values: total }],
    });
    byId("plot-more").replaceChildren();
  }
}

function plotMove(mechanism, found, until) {
  plotPositions(mechanism, found.t, found.q, until);
  const units = [...new Set(mechanism.robot.joints.map((joint) => joint.force_unit))];
  const places = [byId("plot-forces"), byId("plot-more")];
  places[1].replaceChildren();
  units.forEach((unit, k) => plot(places[Math.min(k, 1)], {
    title: "Joint forces", unit, t: found.t, until,
    series: mechanism.robot.joints.flatMap((joint, j) => (joint.force_unit === unit ? [{ name: joint.name, values: found.tau.map((tau) => tau[j]) }] : [])),
  }));
}

function plotPositions(mechanism, t, q, until) {
  const kinds = [...new Set(mechanism.robot.positions.map(({ unit }) => unit))].filter((unit) => unit !== "1");
  const place = byId("plot-positions"), figures = kinds.map((unit) => {
    const figure = element("figure");
    plot(figure, {
      title: unit === "m" ? "Lengths" : "Angles", unit, t, until,
      series: mechanism.robot.positions.flatMap(({ name, unit: own }, k) => (own === unit ? [{ name, values: q.map((each) => each[k]) }] : [])),
    });
    return figure;
  });
  place.replaceChildren(...figures);
}
