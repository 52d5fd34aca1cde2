/** The complete sentence encoder, from text to vector. Loading takes about 0.6 s and temporarily 130 MB of memory. */
import { readCheckedFile } from '../threads/checkedFile.ts';
import { ENCODER_FILES } from './encoderFiles.ts';
import { createSentenceNetwork, MAX_PIECES } from './sentenceNetwork.ts';
import { readNpz } from './npz.ts';
import { createTokeniser, EOS } from './tokeniser.ts';

/**
 * Maximum number of characters read from a text. They nearly always have 1,024 pieces, as many as the network reads: a
 * piece has 4 characters on average and 16 at most.
 */
export const MAX_CHARACTERS = 16_384;

export interface Encoded {
  vector: Float32Array;
  /** Whether the end of the text was left out. */
  isCut: boolean;
}

export type Encoder = (text: string) => Encoded;

/**
 * Loads the encoder synchronously, so call it in a thread.
 * @param folder with the files of `ENCODER_FILES`, which are checked
 * @throws Error if a file cannot be read, or does not match the model's name
 */
export function loadEncoder(folder: string): Encoder {
  const vocabulary = readCheckedFile(folder, ENCODER_FILES.vocabulary);
  const weights = readCheckedFile(folder, ENCODER_FILES.weights);
  const tokenise = createTokeniser(vocabulary);
  const network = createSentenceNetwork(readNpz(weights));
  return (text) => {
    const ids = tokenise(text.slice(0, MAX_CHARACTERS));
    const isCut = text.length > MAX_CHARACTERS || ids.length > MAX_PIECES;
    return { vector: network(ids.length > MAX_PIECES ? [...ids.slice(0, MAX_PIECES - 1), EOS] : ids), isCut };
  };
}
