// Plots of series over time, as SVG.

const WIDE = 640, HIGH = 230, LEFT = 62, RIGHT = 12, TOP = 12, BOTTOM = 34;

// Okabe and Ito's colours, as the style sheet has them for both themes; further series are dashed.
const COLOURS = 7, DASHES = ["", "6 3", "2 2", "8 2 2 2", "1 3"];

// Round numbers that divide a range into about `count` parts.
function ticks(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((each) => each >= raw * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

// A plot in `place`: {title, unit, t, series: [{name, values}], until}; `until` is the end of the axis of time.
function plot(place, { title, unit, t, series, until }) {
  const finite = series.flatMap(({ values }) => Array.from(values).filter(Number.isFinite));
  let low = Math.min(0, ...extent(finite)), high = Math.max(0, ...extent(finite));
  if (high - low < 1e-300) [low, high] = [-1, 1];
  const margin = 0.05 * (high - low), end = until || 1;
  [low, high] = [low && low - margin, high && high + margin];
  const x = (time) => LEFT + (WIDE - LEFT - RIGHT) * (time / end);
  const y = (value) => TOP + (HIGH - TOP - BOTTOM) * (1 - (value - low) / (high - low));
  const svg = drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": summary(title, unit, end, series, finite) });
  for (const value of ticks(low, high, 4)) {
    svg.append(
      drawn("line", { class: value === 0 ? "axis" : "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }),
      drawn("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, shown(value, 3, high - low)),
    );
  }
  for (const time of ticks(0, end, 6)) {
    svg.append(
      drawn("line", { class: "grid", x1: x(time), x2: x(time), y1: TOP, y2: HIGH - BOTTOM }),
      drawn("text", { x: x(time), y: HIGH - BOTTOM + 15, "text-anchor": "middle" }, shown(time, 3, end)),
    );
  }
  svg.append(drawn("text", { x: WIDE - RIGHT, y: HIGH - 4, "text-anchor": "end" }, "time in s"));
  series.forEach(({ values }, k) => {
    const points = [];
    for (let i = 0; i < values.length; i++) {
      if (Number.isFinite(values[i])) points.push(`${x(t[i]).toFixed(1)},${y(values[i]).toFixed(1)}`);
    }
    svg.append(drawn("polyline", { class: `line c${k % COLOURS}`, points: points.join(" "), "stroke-dasharray": dash(k) }));
  });
  const key = element("ul", { class: "key", "aria-hidden": "true" }, ...series.map(({ name }, k) => element(
    "li", {}, swatch(k), name,
  )));
  place.replaceChildren(element("figcaption", {}, `${title}, ${unit}`), svg, ...(series.length > 1 ? [key] : []));
}

const dash = (k) => DASHES[Math.floor(k / COLOURS) % DASHES.length];

function swatch(k) {
  return drawn("svg", { viewBox: "0 0 24 8", class: "swatch" }, drawn("line", {
    class: `line c${k % COLOURS}`, x1: 0, x2: 24, y1: 4, y2: 4, "stroke-dasharray": dash(k),
  }));
}

function extent(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return values.length ? [low, high] : [0, 0];
}

function summary(title, unit, end, series, finite) {
  const [low, high] = extent(finite);
  return `${title} over ${shown(end, 3)} s: ${series.map(({ name }) => name).join(", ")}; from ${shown(low, 3)} to ${shown(high, 3)} ${unit}`;
}
