/** Vectors of items as the sentence encoder might have made them: the topic's vector with noise. */
import { randomOf } from './chance.ts';

/** Length of the noise: two items of a topic have a cosine of about 1 / (1 + 0.7²) = 0.67. */
const NOISE = 0.7;
/** Size of a table of normally distributed numbers; each vector takes a run from a random start. */
const NUMBERS = 1 << 20;

let normals: Float32Array | undefined;

function normalNumbers(): Float32Array {
  const random = randomOf('noise');
  return Float32Array.from(
    { length: NUMBERS },
    () =>
      // Box–Muller transform; 1 − next() is never 0.
      Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next()),
  );
}

/** Returns a unit vector near the centre, in the table's format. */
export function vectorBytes(part: string, n: number, centre: Float32Array): Buffer {
  const noise = (normals ??= normalNumbers());
  const from = randomOf(part, n).below(NUMBERS);
  const scale = NOISE / Math.sqrt(centre.length);
  const vector = centre.map((value, at) => value + scale * (noise[(from + at) % NUMBERS] ?? 0));
  const length = Math.hypot(...vector);
  return Buffer.from(vector.map((value) => value / length).buffer);
}
