/**
 * Reads arrays of floats from a TensorFlow.js model in the form of the package `nsfwjs`: scripts that contain the list
 * of arrays and, in base64, one byte for each number. They are read as text and never run.
 */

export interface ModelWeights {
  /**
   * Returns the array whose name has this ending.
   * @throws RangeError if there is none with this count
   */
  floats(ending: string, count: number): Float32Array;
}

interface Listed {
  name: string;
  count: number;
  /** Start of its bytes. */
  start: number;
  /** A number is its byte times `scale`, plus `min`. */
  min: number;
  scale: number;
}

const LISTED =
  /\{name:"([^"]+)",shape:\[([\d,]*)\],dtype:"float32",quantization:\{min:([-.\de]+),scale:([-.\de]+),dtype:"uint8"\}\}/g;

/**
 * @param model the script with the list
 * @param shards the scripts with the numbers, in order
 * @throws RangeError if they do not belong together
 */
export function readModelWeights(model: string, shards: readonly string[]): ModelWeights {
  const data = Buffer.concat(shards.map((shard) => Buffer.from(longestText(shard), 'base64')));
  const listed = listedIn(model);
  const last = listed.at(-1);
  if (!last || last.start + last.count !== data.length)
    throw new RangeError(`the list of weights does not fit ${data.length} numbers`);
  return {
    floats(ending, count) {
      const found = listed.find(({ name }) => name.endsWith(ending));
      if (found?.count !== count) throw new RangeError(`the weights have no array ${ending} of ${count} numbers`);
      const numbers = new Float32Array(count);
      for (let at = 0; at < count; at += 1) numbers[at] = (data[found.start + at] ?? 0) * found.scale + found.min;
      return numbers;
    },
  };
}

function listedIn(model: string): Listed[] {
  let start = 0;
  return [...model.matchAll(LISTED)].map(([, name = '', shape = '', min, scale]) => {
    const sizes = shape === '' ? [] : shape.split(',').map(Number);
    const count = sizes.reduce((product, size) => product * size, 1);
    const entry = { name, count, start, min: Number(min), scale: Number(scale) };
    start += count;
    return entry;
  });
}

/** Returns the longest string in a script. */
function longestText(script: string): string {
  return script.split('"').reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
