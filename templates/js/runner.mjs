// Runs functions of a generated module for another process: reads the number of a function, the number of states and
// the inputs, a state after the other, from standard input; writes the outputs, in the same way, to standard output.
import { readSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { file, real, functions } = JSON.parse(process.argv[2]);
const code = await import(pathToFileURL(file));
const constants = code.constants_of ? [code.constants_of()] : [];
const Real = { float64: Float64Array, float32: Float32Array }[real];

function read(bytes) {
  let done = 0;
  while (done < bytes.length) {
    const more = readSync(0, bytes, done, bytes.length - done);
    if (more === 0) process.exit(0);
    done += more;
  }
}

function write(bytes) {
  let done = 0;
  while (done < bytes.length) done += writeSync(1, bytes, done, bytes.length - done);
}

const total = (sizes) => sizes.reduce((sum, size) => sum + size, 0);

function split(array, start, sizes) {
  let place = start;
  return sizes.map((size) => array.subarray(place, (place += size)));
}

for (;;) {
  const head = new Uint32Array(2);
  read(new Uint8Array(head.buffer));
  const [number, count] = head;
  const { name, inputs, outputs, parametrized } = functions[number];
  const [taken, given] = [total(inputs), total(outputs)];
  const values = new Real(count * taken);
  const results = new Real(count * given);
  read(new Uint8Array(values.buffer));
  for (let state = 0; state < count; state++) {
    const ins = split(values, state * taken, inputs);
    const outs = split(results, state * given, outputs);
    code[name](...ins, ...(parametrized ? constants : []), ...outs);
  }
  write(new Uint8Array(results.buffer));
}
