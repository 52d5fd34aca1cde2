/** Reads files of a tar archive (POSIX.1-1988, ustar) in memory. */

const BLOCK = 512;
const NAME_BYTES = 100;
const SIZE_AT = 124;
const SIZE_BYTES = 12;

/**
 * Returns a function that returns a file's content by name, without copying.
 * @throws RangeError if there is no such file in it
 */
export function readTar(archive: Buffer): (name: string) => Buffer {
  const files = new Map<string, Buffer>();
  let at = 0;
  while (at + BLOCK <= archive.length && archive[at] !== 0) {
    const size = Number.parseInt(archive.toString('latin1', at + SIZE_AT, at + SIZE_AT + SIZE_BYTES), 8);
    const name = archive.toString('utf8', at, at + NAME_BYTES).replace(/\0.*$/s, '');
    if (!Number.isSafeInteger(size)) throw new RangeError('the archive is damaged');
    files.set(name, archive.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return (name) => {
    const content = files.get(name);
    if (content === undefined) throw new RangeError(`the archive has no ${name}`);
    return content;
  };
}
