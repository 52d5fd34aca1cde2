/**
 * Reads arrays of 32-bit floats from an ONNX file (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto): Protocol
 * Buffers messages, of which only the fields with the weights are read.
 */
export interface Tensors {
  /**
   * Returns the array of that name, row by row.
   * @throws RangeError if there is none with this number of floats
   */
  floats(name: string, count: number): Float32Array;
}

/** Field numbers. */
const GRAPH = 7;
const INITIALIZER = 5;
const [DATA_TYPE, NAME, RAW_DATA] = [2, 8, 9];
const FLOAT = 1;
const FLOAT_BYTES = 4;

/** A field's content: bytes, or a number. */
type Content = Buffer | number;

/** @throws RangeError if `file` is not such a file */
export function readOnnx(file: Buffer): Tensors {
  const arrays = new Map<string, Buffer>();
  for (const graph of messagesIn(file, GRAPH))
    for (const tensor of messagesIn(graph, INITIALIZER)) {
      const fields = new Map(fieldsOf(tensor));
      const [name, data] = [fields.get(NAME), fields.get(RAW_DATA)];
      if (fields.get(DATA_TYPE) === FLOAT && Buffer.isBuffer(name) && Buffer.isBuffer(data))
        arrays.set(name.toString('utf8'), data);
    }
  return {
    floats(name, count) {
      const found = arrays.get(name);
      if (found?.length !== count * FLOAT_BYTES)
        throw new RangeError(`the file of weights has no array ${name} of ${count} floats`);
      // Copied, because floats must be aligned to four bytes.
      return new Float32Array(Uint8Array.from(found).buffer);
    },
  };
}

function messagesIn(message: Buffer, field: number): Buffer[] {
  return [...fieldsOf(message)].flatMap(([number, content]) =>
    number === field && Buffer.isBuffer(content) ? [content] : [],
  );
}

/** Yields the fields of a message with their numbers; fields of fixed length are skipped. */
function* fieldsOf(message: Buffer): Generator<[number, Content]> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at];
      if (byte === undefined) throw new RangeError('the file of weights is cut off');
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [number, kind] = [Math.floor(tag / 8), tag % 8];
    if (kind === 0) yield [number, varint()];
    else if (kind === 2) {
      const length = varint();
      if (at + length > message.length) throw new RangeError('the file of weights is cut off');
      yield [number, message.subarray(at, at + length)];
      at += length;
    } else if (kind === 1 || kind === 5) at += kind === 1 ? 8 : 4;
    else throw new RangeError('the file of weights is not an ONNX file');
  }
}
