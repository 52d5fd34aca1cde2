/** Reads the layers of a network and their numbers, as thinc writes them. */
import { unpack, type Packed } from './msgpack.ts';

export interface ThincNetwork {
  /** Returns the parameters of each layer of that name, by parameter name, in order. */
  all(name: string): Record<string, Packed>[];
  /** @throws RangeError if it is not an array of 32-bit floats */
  floats(array: Packed | undefined): Float32Array;
}

export function readThincNetwork(content: Buffer): ThincNetwork {
  const file = asMap(unpack(content));
  const nodes = asList(file.get('nodes')).map((node) => asMap(node).get('name'));
  const params = asList(file.get('params'));
  return {
    all(name) {
      return params.flatMap((param, index) =>
        nodes[index] === name && param instanceof Map && param.size > 0
          ? [Object.fromEntries([...param].map(([key, value]) => [String(key), value]))]
          : [],
      );
    },
    floats(array) {
      const parts = asMap(array);
      const data = parts.get('data');
      if (parts.get('type') !== '<f4' || !Buffer.isBuffer(data))
        throw new RangeError('an array does not contain floats');
      return new Float32Array(Uint8Array.from(data).buffer);
    },
  };
}

function asMap(value: Packed | undefined): Map<Packed, Packed> {
  if (value instanceof Map) return value;
  throw new RangeError('the file of a network is damaged');
}

function asList(value: Packed | undefined): Packed[] {
  if (Array.isArray(value)) return value;
  throw new RangeError('the file of a network is damaged');
}
