/** The sentence encoder as a whole: text to vector. About 0.6 s to load, and 130 MB of memory while it is loaded. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODER_FILES } from './files.ts';
import { createNetwork, MOST_PIECES } from './network.ts';
import { readNpz } from './npz.ts';
import { createTokeniser, END } from './tokeniser.ts';

/**
 * Characters of a text that are looked at. 1,024 pieces are rarely more: a piece has 4 characters on average and 16 at
 * most.
 */
export const MOST_CHARACTERS = 16_384;

export interface Encoded {
  vector: Float32Array;
  /** The end of the text was left out. */
  isCut: boolean;
}

export type Encoder = (text: string) => Encoded;

/**
 * @param folder with the files of `ENCODER_FILES`. They are read and checked at once, so call it in a thread.
 * @throws Error when a file cannot be read, or is not the one that the model's name stands for
 */
export function loadEncoder(folder: string): Encoder {
  const [vocabulary, weights] = [readChecked(folder, 'vocabulary'), readChecked(folder, 'weights')];
  const tokenise = createTokeniser(vocabulary);
  const network = createNetwork(readNpz(weights));
  return (text) => {
    const ids = tokenise(text.slice(0, MOST_CHARACTERS));
    const isCut = text.length > MOST_CHARACTERS || ids.length > MOST_PIECES;
    return { vector: network(ids.length > MOST_PIECES ? [...ids.slice(0, MOST_PIECES - 1), END] : ids), isCut };
  };
}

/** Vectors are compared for as long as they are stored: other weights under the same name would spoil every search. */
function readChecked(folder: string, kind: keyof typeof ENCODER_FILES): Buffer {
  const { name, sha256 } = ENCODER_FILES[kind];
  const content = readWhole(folder, name);
  const found = createHash('sha256').update(content).digest('hex');
  if (found !== sha256) throw new Error(`${name} has the hash ${found}, not ${sha256}`);
  return content;
}

/** The message is stored with items: it names no folder of the machine. */
function readWhole(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch (error) {
    throw new Error(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
