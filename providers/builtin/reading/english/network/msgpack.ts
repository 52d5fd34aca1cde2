/** Decodes MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md), as far as spaCy's files use it. */

export type Packed = null | boolean | number | bigint | string | Buffer | Packed[] | Map<Packed, Packed>;

/**
 * Decodes a file; integers above 2^53 become bigints.
 * @throws RangeError for types that such files do not use
 */
export function unpack(file: Buffer): Packed {
  let at = 0;
  const take = (bytes: number): Buffer => {
    at += bytes;
    if (at > file.length) throw new RangeError('the file ends too early');
    return file.subarray(at - bytes, at);
  };
  const uint = (bytes: number): number => take(bytes).readUIntBE(0, bytes);
  const uint64 = (): number | bigint => {
    const value = take(8).readBigUInt64BE(0);
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
  };
  const text = (bytes: number): string => take(bytes).toString('utf8');
  const list = (length: number): Packed[] => Array.from({ length }, read);
  const map = (length: number): Map<Packed, Packed> => {
    const entries = new Map<Packed, Packed>();
    for (let left = length; left > 0; left -= 1) {
      const key = read();
      // A binary key is a name too.
      entries.set(Buffer.isBuffer(key) ? key.toString('utf8') : key, read());
    }
    return entries;
  };
  const readers: Readonly<Record<number, () => Packed>> = {
    0xc0: () => null,
    0xc2: () => false,
    0xc3: () => true,
    0xc4: () => take(uint(1)),
    0xc5: () => take(uint(2)),
    0xc6: () => take(uint(4)),
    0xca: () => take(4).readFloatBE(0),
    0xcb: () => take(8).readDoubleBE(0),
    0xcc: () => uint(1),
    0xcd: () => uint(2),
    0xce: () => uint(4),
    0xcf: uint64,
    0xd0: () => take(1).readInt8(0),
    0xd1: () => take(2).readInt16BE(0),
    0xd2: () => take(4).readInt32BE(0),
    0xd9: () => text(uint(1)),
    0xda: () => text(uint(2)),
    0xdb: () => text(uint(4)),
    0xdc: () => list(uint(2)),
    0xdd: () => list(uint(4)),
    0xde: () => map(uint(2)),
    0xdf: () => map(uint(4)),
  };
  function read(): Packed {
    const mark = uint(1);
    if (mark < 0x80) return mark;
    if (mark < 0x90) return map(mark & 0x0f);
    if (mark < 0xa0) return list(mark & 0x0f);
    if (mark < 0xc0) return text(mark & 0x1f);
    if (mark >= 0xe0) return mark - 0x100;
    const reader = readers[mark];
    if (reader === undefined) throw new RangeError(`the file has a value of the unsupported kind ${mark}`);
    return reader();
  }
  return read();
}
