/** gzip (RFC 1952), by the browser, or in JavaScript where nothing can be awaited. */

export async function gzip(text: string): Promise<ArrayBuffer> {
  return await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
}

/** Magic number, deflate, no flags, no time, unknown system. */
const HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
/** Maximum size of a stored block (RFC 1951, 3.2.4). */
const BLOCK_BYTES = 65_535;
const POLYNOMIAL = 0xedb88320;

/** Returns a gzip file of stored blocks: uncompressed, but built synchronously. */
export function gzipStored(text: string): Uint8Array<ArrayBuffer> {
  const data = new TextEncoder().encode(text);
  const blocks = Math.max(1, Math.ceil(data.length / BLOCK_BYTES));
  const file = new Uint8Array(HEADER.length + blocks * 5 + data.length + 8);
  const view = new DataView(file.buffer);
  file.set(HEADER);
  let at = HEADER.length;
  for (let block = 0; block < blocks; block += 1) {
    const part = data.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES);
    file[at] = block === blocks - 1 ? 1 : 0;
    view.setUint16(at + 1, part.length, true);
    view.setUint16(at + 3, ~part.length & 0xffff, true);
    file.set(part, at + 5);
    at += 5 + part.length;
  }
  view.setUint32(at, crc32(data), true);
  view.setUint32(at + 4, data.length, true);
  return file;
}

function crc32(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
