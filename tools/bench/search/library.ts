/**
 * A synthetic catalogue: words as frequent as in a natural language, in documents of a usual size. It is the same in
 * every run.
 */
import type { SearchDocument } from '../../../db/search/documents.ts';
import { itemVector, type ItemVector } from '../../../domain/output/vectors.ts';

/** Number of word forms; by Zipf's law the thousandth is a thousand times rarer than the first. */
const WORDS = 60_000;
const TITLE_WORDS = 6;
const TEXT_WORDS = 200;
const TAGS = 3_000;
const AUTHORS = 2_000;
/** Number of subjects; the vectors of one subject are close to each other. */
const SUBJECTS = 500;
export const DIMENSION = 512;
export const MODEL = 'bench';

export interface BenchItem extends Omit<SearchDocument, 'micros' | 'isEligible'> {
  publishedAt: Date;
  properties: { price: number; level: string; parts: string[] };
  vector: Float32Array;
}

/** Implements Mulberry32 (Tommy Ettinger): the same numbers from the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const ONSETS = ['тр', 'п', 'к', 'м', 'ст', 'в', 'л', 'д', 'н', 'гр', 'р', 'с', 'б', 'ш', 'з'];
const VOWELS = ['а', 'о', 'е', 'и', 'у', 'я'];
const ENDINGS = ['', 'а', 'ы', 'ов', 'ами', 'ение', 'ость', 'ный', 'ная'];

function wordOf(number: number): string {
  let rest = Math.floor(number / ENDINGS.length);
  let word = '';
  do {
    word += `${ONSETS[rest % ONSETS.length]}${VOWELS[Math.floor(rest / ONSETS.length) % VOWELS.length]}`;
    rest = Math.floor(rest / (ONSETS.length * VOWELS.length));
  } while (rest > 0);
  return `${word}${word.length < 5 ? 'нк' : 'т'}${ENDINGS[number % ENDINGS.length]}`;
}

const ALL_WORDS = Array.from({ length: WORDS }, (_, number) => wordOf(number));

/** Returns a random word; frequent words are more likely. */
export function drawWord(random: () => number): string {
  return ALL_WORDS[Math.floor(WORDS ** random()) - 1] ?? '';
}

const draw = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => drawWord(random)).join(' ');

function direction(seed: number, noise: (() => number) | null): Float32Array {
  const random = seededRandom(seed);
  return Float32Array.from({ length: DIMENSION }, () => random() - 0.5 + (noise ? 0.8 * (noise() - 0.5) : 0));
}

export function itemOf(number: number): BenchItem {
  const random = seededRandom(number + 1);
  const tag = (): string => `тег ${Math.floor(TAGS ** random())}`;
  return {
    id: `item-${number}`,
    title: draw(random, TITLE_WORDS),
    author: `Автор ${Math.floor(AUTHORS * random())}`,
    tags: [tag(), tag(), tag()],
    topics: [`тема ${Math.floor(50 * random())}`],
    entities: [drawWord(random)],
    summary: draw(random, 20),
    texts: [draw(random, TEXT_WORDS)],
    speech: [],
    pictures: [],
    publishedAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 3e10)),
    properties: {
      price: Math.floor(random() * 1_000),
      level: ['easy', 'middle', 'hard'][Math.floor(random() * 3)] ?? '',
      parts: [`p${Math.floor(random() * 20)}`, `q${Math.floor(random() * 20)}`],
    },
    vector: direction(number % SUBJECTS, random),
  };
}

export function itemVectorOf(vector: Float32Array): ItemVector {
  const placed = itemVector([vector]);
  if (placed === null) throw new Error('a vector without a direction');
  return { ...placed, model: MODEL };
}

/** Returns the query vector of a search for a subject. */
export function queryVector(subject: number): Float32Array {
  return direction(subject % SUBJECTS, seededRandom(subject));
}
