// A camera that turns about a point: azimuth and elevation about the scene's "up", mild perspective.

const DISTANCE = 5; // of the camera, in radii of the scene

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
    this.target = this.scene.camera.target.slice();
    this.zoom = 1;
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
    this.target = plus(plus(this.target, this.right, -x * length), this.above, y * length);
  }

  // Look into a window of this width and height, in pixels.
  look(width, height) {
    const c = Math.cos(this.elevation), s = Math.sin(this.elevation);
    const level = plus(scaled(this.ahead, Math.cos(this.azimuth)), this.side, Math.sin(this.azimuth));
    this.toward = plus(scaled(level, c), this.up, s);
    this.right = unit(cross(this.up, level));
    this.above = cross(this.toward, this.right);
    this.distance = DISTANCE * this.scene.camera.radius;
    this.scale = (0.43 * Math.min(width, height) * this.zoom) / this.scene.camera.radius;
    this.middle = [width / 2, height / 2];
  }

  // x and y in pixels, how near (m), pixels per m there.
  seen(point) {
    const from = minus(point, this.target);
    const near = dot(from, this.toward);
    const scale = this.scale / Math.max(0.05, 1 - near / this.distance);
    return {
      x: this.middle[0] + scale * dot(from, this.right),
      y: this.middle[1] - scale * dot(from, this.above),
      near,
      scale,
    };
  }
}
