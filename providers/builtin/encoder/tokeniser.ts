/**
 * Splits a text into pieces of the vocabulary: the segmentation with the highest total probability, found by Viterbi's
 * algorithm (Kudo 2018, "Subword Regularization", the unigram model of SentencePiece).
 */
import { createNormaliser } from './charsmap.ts';
import { readSentencePieceModel, type SentencePieceModel } from './sentencePiece.ts';
import { createVocabulary, type Vocabulary } from './pieceTrie.ts';

/** The special ids at the start of the vocabulary. */
const UNKNOWN = 0;
const BEGIN = 1;
export const END = 2;

/** How much less probable an unknown character is than the rarest piece, as a natural logarithm. */
const UNKNOWN_PENALTY = 10;

/** Returns the ids of a text's pieces between the markers of its start and end: at least three. */
export type Tokeniser = (text: string) => number[];

/**
 * @param file a SentencePiece model
 * @throws RangeError if it is not one
 */
export function createTokeniser(file: Buffer): Tokeniser {
  const model = readSentencePieceModel(file);
  const normalise = createNormaliser(model.charsmap);
  const cut = createCutter(model, createVocabulary(model.pieces));
  return (text) => {
    const normalised = normalise(text);
    return [BEGIN, ...(normalised === '' ? [UNKNOWN] : cut(normalised)), END];
  };
}

/** The best path to each place in the text: its score, the start of its last piece, and that piece. */
interface Paths {
  scores: Float64Array;
  starts: Int32Array;
  pieces: Int32Array;
}

function createCutter({ scores }: SentencePieceModel, vocabulary: Vocabulary): Tokeniser {
  const unknownScore = scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY;

  /** Tries all pieces that begin at `start`, the shortest first; on a tie the first path found is kept. */
  function extend(paths: Paths, characters: Int32Array, start: number): void {
    const score = paths.scores[start] ?? 0;
    let isCovered = false;
    let node = 0;
    for (let end = start + 1; end <= characters.length; end += 1) {
      node = vocabulary.next(node, characters[end - 1] ?? 0);
      if (node === -1) break;
      const piece = vocabulary.pieceAt(node);
      if (piece === -1) continue;
      offer(paths, start, end, piece, score + (scores[piece] ?? 0));
      isCovered ||= end === start + 1;
    }
    if (!isCovered) offer(paths, start, start + 1, UNKNOWN, score + unknownScore);
  }

  return (text) => {
    const characters = Int32Array.from(text, (character) => character.codePointAt(0) ?? 0);
    const length = characters.length + 1;
    const paths = {
      scores: new Float64Array(length).fill(Number.NEGATIVE_INFINITY),
      starts: new Int32Array(length),
      pieces: new Int32Array(length),
    };
    paths.scores[0] = 0;
    for (let start = 0; start < characters.length; start += 1) extend(paths, characters, start);
    return walkBack(paths);
  };
}

function offer(paths: Paths, start: number, end: number, piece: number, score: number): void {
  if (score <= (paths.scores[end] ?? 0)) return;
  paths.scores[end] = score;
  paths.starts[end] = start;
  paths.pieces[end] = piece;
}

function walkBack({ starts, pieces }: Paths): number[] {
  const ids: number[] = [];
  for (let end = starts.length - 1; end > 0; end = starts[end] ?? 0) ids.push(pieces[end] ?? UNKNOWN);
  return ids.reverse();
}
