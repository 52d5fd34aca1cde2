/**
 * Finds changes of subject in a text by TextTiling (Hearst 1997, "TextTiling: Segmenting Text into Multi-paragraph
 * Subtopic Passages", Computational Linguistics 23(1)): neighbouring blocks of words are compared, and a deep valley
 * between two peaks of similarity is a change. Block comparison, smoothing, depth scores and cutoff are the paper's;
 * token sequences, however, end at the ends of pieces of the text (cues, sentences).
 */

/** Words per token sequence, and sequences per block: the paper's w and k. */
const SEQUENCE_WORDS = 20;
const BLOCK_SEQUENCES = 10;
/** Maximum share of the text in one block, so that a short text has several. */
const BLOCK_SHARE = 1 / 6;
/** Number of sequences on each side over which similarity is smoothed. */
const SMOOTHING = 1;
/** A text about one subject has only shallow valleys, some of which the paper's relative cutoff would accept. */
const MIN_DEPTH = 0.25;

interface Sequence {
  /** Index of its first piece. */
  from: number;
  counts: Map<string, number>;
}

export interface SubjectChange {
  /** Index of the first piece of the new subject. */
  at: number;
  /** Depth of the valley, at most two. */
  depth: number;
}

/**
 * @param pieces the stems of the content words of each piece, in the order of the text
 * @returns the changes of subject, deepest first
 */
export function subjectChanges(pieces: readonly (readonly string[])[]): SubjectChange[] {
  const sequences = sequencesOf(pieces);
  const block = Math.max(2, Math.min(BLOCK_SEQUENCES, Math.floor(sequences.length * BLOCK_SHARE)));
  const depths = depthsOf(smooth(similarities(sequences, block)));
  const cutoff = Math.max(MIN_DEPTH, mean(depths) - standardDeviation(depths) / 2);
  return depths
    .flatMap((depth, gap) => {
      const next = sequences[gap + 1];
      return next && depth > cutoff ? [{ at: next.from, depth }] : [];
    })
    .toSorted((a, b) => b.depth - a.depth || a.at - b.at);
}

function sequencesOf(pieces: readonly (readonly string[])[]): Sequence[] {
  const sequences: Sequence[] = [];
  let words = SEQUENCE_WORDS;
  for (const [from, stems] of pieces.entries()) {
    if (words >= SEQUENCE_WORDS) {
      sequences.push({ from, counts: new Map() });
      words = 0;
    }
    const counts = sequences.at(-1)?.counts;
    for (const stem of stems) counts?.set(stem, (counts.get(stem) ?? 0) + 1);
    words += stems.length;
  }
  return sequences;
}

/** Returns for each gap between two sequences the cosine of the counts of the blocks before and after it. */
function similarities(sequences: readonly Sequence[], block: number): number[] {
  return sequences.slice(1).map((_, gap) => {
    const before = sumOf(sequences.slice(Math.max(0, gap + 1 - block), gap + 1));
    const after = sumOf(sequences.slice(gap + 1, gap + 1 + block));
    return cosine(before, after);
  });
}

function sumOf(sequences: readonly Sequence[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const { counts } of sequences) for (const [stem, count] of counts) sum.set(stem, (sum.get(stem) ?? 0) + count);
  return sum;
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let product = 0;
  for (const [stem, count] of a) product += count * (b.get(stem) ?? 0);
  return product === 0 ? 0 : product / Math.sqrt(squares(a) * squares(b));
}

function squares(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count * count;
  return sum;
}

function smooth(values: readonly number[]): number[] {
  return values.map((_, at) => mean(values.slice(Math.max(0, at - SMOOTHING), at + SMOOTHING + 1)));
}

/** Returns the rise from each valley to the next peaks on both sides; 0 if it is not a valley. */
function depthsOf(values: readonly number[]): number[] {
  return values.map((value, at) => {
    const isValley = value <= (values[at - 1] ?? Infinity) && value < (values[at + 1] ?? Infinity);
    return isValley ? climb(values, at, -1) + climb(values, at, 1) : 0;
  });
}

function climb(values: readonly number[], from: number, step: 1 | -1): number {
  let peak = values[from] ?? 0;
  for (let at = from + step; ; at += step) {
    const value = values[at];
    if (value === undefined || value < peak) return peak - (values[from] ?? 0);
    peak = value;
  }
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function standardDeviation(values: readonly number[]): number {
  const average = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2)));
}
