/**
 * Names by spaCy's transition system (`spacy.TransitionBasedParser.v2`). It chooses the best allowed move for each
 * word: begin a name, continue it, end it, a name of one word, or no name.
 */
import type { Matrices } from '../../../arithmetic/matrices.ts';
import type { Weights } from '../../../arithmetic/weights.ts';
import { keepSingle, type Activations } from '../../common/convolutions.ts';
import type { NameSpan, NameType } from '../../common/types.ts';
import type { ThincNetwork } from './readThincNetwork.ts';
import { MAX_TOKENS, WIDTH } from './tok2vec.ts';

const HIDDEN = 64;
const PIECES = 2;
/** The places read: the word, the first word of the open name, and the previous word. */
const PLACES = 3;
const STATE = HIDDEN * PIECES;

const TYPES: Readonly<Record<string, NameType>> = {
  PERSON: 'person',
  ORG: 'organization',
  GPE: 'place',
  LOC: 'place',
  FAC: 'place',
};

interface Move {
  kind: 'begin' | 'in' | 'last' | 'unit' | 'out';
  label: string;
}

/** For a word, the best score of each type of name that begins with it, and of `none`: no name. */
export type NameScores = Readonly<Record<NameType | 'none', number>>;

export interface FoundNames {
  spans: NameSpan[];
  /** Spans of the network's other labels: dates, works of art, peoples. */
  others: { label: string; from: number; to: number }[];
  /** By the places of words that may begin a name and are not within one. */
  scores: ReadonlyMap<number, NameScores>;
}

/**
 * @param isStart for each word whether a sentence begins with it: no name crosses a sentence boundary
 * @param mayBegin for each word whether a name may begin with it; only these get scores
 */
export type NameFinder = (words: Activations, isStart: readonly boolean[], mayBegin: readonly boolean[]) => FoundNames;

export function createNameFinder(file: ThincNetwork, moves: readonly Move[], matrices: Matrices): NameFinder {
  const { projected, states, scores, bias, padding } = keepNetwork(file, matrices);
  if (scores.columns < moves.length) throw new RangeError('the network of names has unexpected moves');

  const hidden = matrices.take(MAX_TOKENS * HIDDEN);
  const shares = matrices.take(MAX_TOKENS * PLACES * STATE);
  const state = matrices.take(STATE);
  const largest = matrices.take(HIDDEN);
  const scored = matrices.take(scores.columns);
  const types = moves.map(({ kind, label }) => {
    if (kind === 'out') return 'none';
    return kind === 'begin' || kind === 'unit' ? (TYPES[label] ?? null) : null;
  });

  const addShare = (place: number, word: number): void => {
    const [from, start] = word < 0 ? [padding, place * STATE] : [shares, (word * PLACES + place) * STATE];
    for (let at = 0; at < STATE; at += 1) state[at] = (state[at] ?? 0) + (from[start + at] ?? 0);
  };
  const score = (word: number, first: number): void => {
    state.set(bias);
    addShare(0, word);
    addShare(1, first);
    addShare(2, first < 0 ? -1 : word - 1);
    for (let at = 0; at < HIDDEN; at += 1) largest[at] = Math.max(state[2 * at] ?? 0, state[2 * at + 1] ?? 0);
    matrices.multiply({ data: largest, stride: HIDDEN }, scores, { data: scored, stride: scores.columns }, 1);
  };

  return (words, isStart, mayBegin) => {
    const count = isStart.length;
    matrices.multiply(words, projected, { data: hidden, stride: HIDDEN }, count);
    matrices.multiply({ data: hidden, stride: HIDDEN }, states, { data: shares, stride: PLACES * STATE }, count);
    const found = {
      spans: [] as NameSpan[],
      others: [] as FoundNames['others'],
      scores: new Map<number, NameScores>(),
    };
    let open: { label: string; from: number } | null = null;
    for (let word = 0; word < count; word += 1) {
      score(word, open?.from ?? -1);
      const mayGoOn = word + 1 < count && isStart[word + 1] === false;
      if (open === null && mayBegin[word] === true) found.scores.set(word, scoresOf(types, scored));
      const move = bestMove(moves, scored, open, mayGoOn);
      if (move.kind === 'begin') open = { label: move.label, from: word };
      const from: number = open?.from ?? word;
      const type = TYPES[move.label];
      if (move.kind !== 'last' && move.kind !== 'unit') continue;
      if (type === undefined) found.others.push({ label: move.label, from, to: word + 1 });
      else found.spans.push({ type, from, to: word + 1 });
      open = null;
    }
    return found;
  };
}

interface NameNetwork {
  /** From the vector of a word to the hidden layer. */
  projected: Weights;
  /** From the hidden layer to a word's share in the state, for each place. */
  states: Weights;
  /** From the state to the score of each move. */
  scores: Weights;
  /** Start of each state. */
  bias: Float32Array;
  /** Share of a place without a word. */
  padding: Float32Array;
}

/** @throws RangeError if the network has another shape */
function keepNetwork(file: ThincNetwork, matrices: Matrices): NameNetwork {
  const [upper, projection] = file.all('linear');
  const [lower] = file.all('precomputable_affine');
  if (upper === undefined || projection === undefined || lower === undefined)
    throw new RangeError('the network of names has an unexpected shape');
  const linear = (weights: Float32Array, bias: Float32Array, inputs: number): Weights =>
    keepSingle(
      matrices,
      { outputs: bias.length, inputs, stride: inputs, bias },
      (output, input) => weights[output * inputs + input] ?? 0,
    );
  return {
    projected: linear(file.floats(projection['W']), file.floats(projection['b']), WIDTH),
    states: linear(file.floats(lower['W']), new Float32Array(PLACES * STATE), HIDDEN),
    scores: linear(file.floats(upper['W']), file.floats(upper['b']), HIDDEN),
    bias: file.floats(lower['b']),
    padding: file.floats(lower['pad']),
  };
}

function scoresOf(types: readonly (keyof NameScores | null)[], scored: Float32Array): NameScores {
  const best = { none: -Infinity, person: -Infinity, organization: -Infinity, place: -Infinity };
  types.forEach((type, index) => {
    if (type !== null) best[type] = Math.max(best[type], scored[index] ?? 0);
  });
  return best;
}

function bestMove(
  moves: readonly Move[],
  scores: Float32Array,
  open: { label: string } | null,
  mayGoOn: boolean,
): Move {
  let best: Move = { kind: open === null ? 'out' : 'last', label: open?.label ?? '' };
  let bestScore = -Infinity;
  moves.forEach((move, index) => {
    const score = scores[index] ?? 0;
    if (score > bestScore && isAllowed(move, open, mayGoOn)) [best, bestScore] = [move, score];
  });
  return best;
}

function isAllowed({ kind, label }: Move, open: { label: string } | null, mayGoOn: boolean): boolean {
  if (kind === 'out') return open === null;
  if (label === '') return false;
  if (kind === 'unit') return open === null;
  if (kind === 'begin') return open === null && mayGoOn;
  return open?.label === label && (kind === 'last' || mayGoOn);
}

const KINDS: Readonly<Record<string, Move['kind']>> = { 1: 'begin', 2: 'in', 3: 'last', 4: 'unit', 5: 'out' };

/** Returns the moves in the order of the network's outputs: by kind, then by the label's frequency in training. */
export function readMoves(json: string): Move[] {
  const labels = JSON.parse(json) as Record<string, Record<string, number>>;
  return Object.keys(labels)
    .toSorted()
    .flatMap((key) => {
      const kind = KINDS[key];
      if (kind === undefined) return [];
      const ordered = Object.entries(labels[key] ?? {}).toSorted((a, b) => b[1] - a[1]);
      return ordered.map(([label]) => ({ kind, label }));
    });
}
