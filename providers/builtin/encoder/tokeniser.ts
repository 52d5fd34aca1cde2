/**
 * Splits a text into pieces of the vocabulary: the segmentation with the highest total probability, found by Viterbi's
 * algorithm (Kudo 2018, "Subword Regularization", the unigram model of SentencePiece). No piece of the vocabulary
 * extends from one word into the next, so each word is segmented separately.
 */
import { LRUCache } from 'lru-cache';
import { createNormaliser, SPACE_MARK } from './charsmap.ts';
import { readSentencePieceModel, type SentencePieceModel } from './sentencePiece.ts';
import { createVocabulary, type Vocabulary } from './pieceTrie.ts';

/** The special ids at the start of the vocabulary. */
const UNK = 0;
const BOS = 1;
export const EOS = 2;

/** Number of cached words: about 2 MB. */
const MAX_WORDS = 8_192;
const MAX_WORD_LENGTH = 32;

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
  const cutWord = memoiseWords(createSegmenter(model, createVocabulary(model.pieces)));
  return (text) => {
    const [, ...words] = normalise(text).split(SPACE_MARK);
    const ids = words.flatMap((word) => cutWord(SPACE_MARK + word));
    return [BOS, ...(ids.length === 0 ? [UNK] : ids), EOS];
  };
}

/** Caches the pieces of recent words: few words make up most of any text. */
function memoiseWords(cut: (word: string) => number[]): (word: string) => readonly number[] {
  const known = new LRUCache<string, readonly number[]>({ max: MAX_WORDS });
  return (word) => {
    if (word.length > MAX_WORD_LENGTH) return cut(word);
    const before = known.get(word);
    if (before !== undefined) return before;
    const pieces = cut(word);
    known.set(word, pieces);
    return pieces;
  };
}

/** The best path to each place in the text: its score, the start of its last piece, and that piece. */
interface Paths {
  scores: Float64Array;
  starts: Int32Array;
  pieces: Int32Array;
}

function createSegmenter({ scores }: SentencePieceModel, vocabulary: Vocabulary): (word: string) => number[] {
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
    if (!isCovered) offer(paths, start, start + 1, UNK, score + unknownScore);
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
    return backtrack(paths);
  };
}

function offer(paths: Paths, start: number, end: number, piece: number, score: number): void {
  if (score <= (paths.scores[end] ?? 0)) return;
  paths.scores[end] = score;
  paths.starts[end] = start;
  paths.pieces[end] = piece;
}

function backtrack({ starts, pieces }: Paths): number[] {
  const ids: number[] = [];
  for (let end = starts.length - 1; end > 0; end = starts[end] ?? 0) ids.push(pieces[end] ?? UNK);
  return ids.reverse();
}
