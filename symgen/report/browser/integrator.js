// Verner's embedded Runge-Kutta pair of orders 6 and 5 with step size control.

const SAFETY = 0.9, SHRINK = 0.2, GROW = 5, LEAST_STEP = 1e-10;

class Integrator {
  // `rates(y, dy)` fills dy and says whether it is finite; `pair`: nodes, stages, weights and weights of the error.
  constructor(rates, y, tolerance, pair) {
    this.rates = rates;
    this.y = y;
    this.t = 0;
    this.tolerance = tolerance;
    this.pair = pair;
    this.step = 1e-3;
    this.calls = 0;
    this.slopes = pair.stages.map(() => new Float64Array(y.length));
    this.trial = new Float64Array(y.length);
    this.next = new Float64Array(y.length);
  }

  // One step, not beyond `end`; false if none is short enough.
  advance(end) {
    for (;;) {
      const left = end - this.t, last = this.step >= left, h = last ? left : this.step;
      const error = this.attempt(h);
      const factor = error === 0 ? GROW : Math.min(GROW, Math.max(SHRINK, SAFETY * error ** (-1 / 6)));
      if (error <= 1) {
        if (!last || factor < 1) this.step = h * factor;
        this.t = last ? end : this.t + h;
        this.y.set(this.next);
        return true;
      }
      this.step = h * (Number.isFinite(error) ? Math.min(factor, 0.9) : SHRINK);
      if (this.step < LEAST_STEP) return false;
    }
  }

  // The error of a step of h into `next`, where 1 is what the tolerance allows; infinite where rates are not finite.
  attempt(h) {
    const { stages, weights, errors } = this.pair, { slopes, y, trial, next } = this, size = y.length;
    for (let i = 0; i < stages.length; i++) {
      for (let k = 0; k < size; k++) {
        let sum = 0;
        for (let j = 0; j < i; j++) sum += stages[i][j] * slopes[j][k];
        trial[k] = y[k] + h * sum;
      }
      this.calls += 1;
      if (!this.rates(trial, slopes[i])) return Infinity;
    }
    let total = 0;
    for (let k = 0; k < size; k++) {
      let sum = 0, off = 0;
      for (let j = 0; j < stages.length; j++) {
        sum += weights[j] * slopes[j][k];
        off += errors[j] * slopes[j][k];
      }
      next[k] = y[k] + h * sum;
      const allowed = this.tolerance * (1 + Math.max(Math.abs(y[k]), Math.abs(next[k])));
      total += (h * off / allowed) ** 2;
    }
    const error = Math.sqrt(total / size);
    return Number.isFinite(error) ? error : Infinity;
  }
}
