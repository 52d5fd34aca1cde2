import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of a model as it was published. */
export interface ModelFile {
  name: string;
  sha256: string;
}

/**
 * Reads a model file synchronously, so call it in a thread. Results are stored under the model's name, and other
 * weights under the same name would corrupt them.
 * @throws Error if it cannot be read or is a different file; the message is stored with items, and contains no folder
 */
export function readCheckedFile(folder: string, { name, sha256 }: ModelFile): Buffer {
  const content = readWhole(folder, name);
  const found = createHash('sha256').update(content).digest('hex');
  if (found !== sha256) throw new Error(`${name} has the hash ${found}, not ${sha256}`);
  return content;
}

function readWhole(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch (error) {
    throw new Error(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
