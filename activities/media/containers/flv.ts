import { open } from 'node:fs/promises';

/** Size of a tag's header, and of the length that is repeated after each tag. */
const [HEAD, LENGTH] = [11, 4];

/**
 * Returns true when a file of Flash video ends at the end of a tag. The stated duration does not show whether it is
 * complete: recordings that were never finished state an estimate.
 */
export async function endsWithTag(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const read = async (length: number, position: number): Promise<Buffer> => {
      const buffer = Buffer.alloc(length);
      if (position >= 0) await file.read(buffer, 0, length, position);
      return buffer;
    };
    const tagSize = (await read(LENGTH, size - LENGTH)).readUInt32BE();
    const head = await read(HEAD, size - LENGTH - tagSize);
    return tagSize > HEAD && head.readUIntBE(1, 3) + HEAD === tagSize;
  } finally {
    await file.close();
  }
}
