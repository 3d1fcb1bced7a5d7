// A camera that turns about what it has seen: azimuth and elevation about the scene's "up", mild perspective.

const DISTANCE = 5; // of the camera, in radii of the scene
const POINT = 0.1; // the radius of what is a point, in m
const BELOW = 0.07; // how far the floor is below the lowest point, in radii

class Camera {
  constructor(scene) {
    this.scene = scene;
    this.up = unit(scene.camera.up);
    const level = minus(scene.camera.direction, scaled(this.up, dot(scene.camera.direction, this.up)));
    this.ahead = size(level) > 1e-9 ? unit(level) : unit(cross(this.up, Math.abs(this.up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
    this.side = cross(this.up, this.ahead);
    this.reset();
  }

  reset() {
    this.azimuth = 0;
    this.elevation = Math.asin(Math.max(-1, Math.min(1, dot(unit(this.scene.camera.direction), this.up))));
    this.middle = this.scene.camera.target.slice();
    this.radius = this.scene.camera.radius;
    this.floor = this.scene.camera.floor;
    this.shift = [0, 0, 0];
    this.zoom = 1;
    this.low = this.high = null;
  }

  // Make room for points: what is seen grows, and the floor sinks, as a scene moves.
  include(points) {
    const least = (a, b) => a.map((entry, k) => Math.min(entry, b[k])), most = (a, b) => a.map((entry, k) => Math.max(entry, b[k]));
    const low = points.reduce(least, this.low ?? points[0]), high = points.reduce(most, this.high ?? points[0]);
    if (this.low && size(minus(low, this.low)) + size(minus(high, this.high)) < 1e-12) return;
    const isFirst = !this.low;
    this.low = low;
    this.high = high;
    this.middle = scaled(plus(low, high), 0.5);
    const reach = points.reduce((far, point) => Math.max(far, size(minus(point, this.middle))), 0) || POINT;
    this.radius = isFirst ? reach : Math.max(this.radius, reach);
    const lowest = points.reduce((height, point) => Math.min(height, dot(point, this.up)), Infinity) - BELOW * this.radius;
    this.floor = isFirst ? lowest : Math.min(this.floor, lowest);
  }

  get target() {
    return plus(this.middle, this.shift);
  }

  turn(azimuth, elevation) {
    this.azimuth += azimuth;
    this.elevation = Math.max(-1.55, Math.min(1.55, this.elevation + elevation));
  }

  pull(factor) {
    this.zoom = Math.max(0.1, Math.min(20, this.zoom * factor));
  }

  // Move what is seen by pixels.
  pan(x, y) {
    const length = 1 / this.scale;
    this.shift = plus(plus(this.shift, this.right, -x * length), this.above, y * length);
  }

  // Look into a window of this width and height, in pixels.
  look(width, height) {
    const c = Math.cos(this.elevation), s = Math.sin(this.elevation);
    const level = plus(scaled(this.ahead, Math.cos(this.azimuth)), this.side, Math.sin(this.azimuth));
    this.toward = plus(scaled(level, c), this.up, s);
    this.right = unit(cross(this.up, level));
    this.above = cross(this.toward, this.right);
    this.distance = DISTANCE * this.radius;
    this.scale = (0.43 * Math.min(width, height) * this.zoom) / this.radius;
    this.centre = [width / 2, height / 2];
  }

  // x and y in pixels, how near (m), pixels per m there.
  seen(point) {
    const from = minus(point, this.target);
    const near = dot(from, this.toward);
    const scale = this.scale / Math.max(0.05, 1 - near / this.distance);
    return {
      x: this.centre[0] + scale * dot(from, this.right),
      y: this.centre[1] - scale * dot(from, this.above),
      near,
      scale,
    };
  }
}

// The corners of what is drawn of a scene whose bodies have these frames.
function corners(scene, found) {
  const points = [origin(scene.root)];
  for (const way of [...scene.tubes, ...scene.plates]) {
    for (const point of way.points) points.push(placed(onBody(found, way.body), point));
  }
  for (const mass of scene.masses) points.push(placed(onBody(found, mass.body), mass.centre));
  for (const solid of scene.solids) {
    const pose = times(onBody(found, solid.body), solid.pose), [a, b] = solid.size;
    const half = { box: solid.size.map((edge) => edge / 2), cylinder: [a, a, b / 2], sphere: [a, a, a] }[solid.shape];
    for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1]) {
      points.push(placed(pose, [x * half[0], y * half[1], z * half[2]]));
    }
  }
  return points;
}
