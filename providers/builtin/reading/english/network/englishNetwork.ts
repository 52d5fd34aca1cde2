/** The part of spaCy's English pipeline that is used: parts of speech, and names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfPart } from '../../../../../domain/cutText.ts';
import { createMatrices } from '../../../arithmetic/matrices.ts';
import { keepSingle } from '../../common/convolutions.ts';
import { ENGLISH_FILES } from '../../common/readerFiles.ts';
import { sentenceParts } from '../../common/sentenceParts.ts';
import type { NameSpan, TaggedText, TaggedWord } from '../../common/types.ts';
import { idOf } from './hashes.ts';
import { unpack } from './msgpack.ts';
import { withOverlookedVerbs } from './overlookedVerbs.ts';
import { createNameFinder, readMoves, type NameScores } from './nameFinder.ts';
import { readThincNetwork } from './readThincNetwork.ts';
import { createTok2Vec, MAX_TOKENS, WIDTH, type WordFeatures } from './tok2vec.ts';
import { shapeOf, splitTokens, type Token } from './tokenise.ts';

/** 24 MB: 12 MB of weights and intermediate results for 512 words for each of the two networks. */
const FLOATS = 6_000_000;

export interface EnglishReading extends TaggedText {
  /**
   * The network's labels of words in names other than those of people, organisations and places, by the word's index.
   */
  others: ReadonlyMap<number, string>;
  scores: ReadonlyMap<number, NameScores>;
}

/** Names begin with a capital, or with an article before it. */
const MAY_BEGIN = /^(?:\p{Lu}|(?:the|an?)$)/u;

export type EnglishNetwork = (text: string) => EnglishReading;

/**
 * @param folder with `ENGLISH_FILES`
 * @param isVerb whether a word in lower case is the dictionary form of a verb
 * @throws Error if one is missing or not as expected
 */
export function loadEnglishNetwork(folder: string, isVerb: (word: string) => boolean): EnglishNetwork {
  const read = (file: keyof typeof ENGLISH_FILES): Buffer => readFileSync(join(folder, ENGLISH_FILES[file]));
  const matrices = createMatrices(FLOATS);
  const forTags = createTok2Vec(readThincNetwork(read('words')), matrices);
  const tagger = readThincNetwork(read('tagger'));
  const [softmax] = tagger.all('softmax');
  const { labels } = JSON.parse(read('tags').toString('utf8')) as { labels: string[] };
  const places = new Map(labels.map((label, place) => [label, place]));
  const tagWeights = tagger.floats(softmax?.['W']);
  const head = keepSingle(
    matrices,
    { outputs: labels.length, inputs: WIDTH, stride: WIDTH, bias: tagger.floats(softmax?.['b']) },
    (output, input) => tagWeights[output * WIDTH + input] ?? 0,
  );
  const tagScores = { data: matrices.take(MAX_TOKENS * head.columns), stride: head.columns };
  const nameFile = readThincNetwork(read('names'));
  const forNames = createTok2Vec(nameFile, matrices);
  const findNames = createNameFinder(nameFile, readMoves(movesOf(read('moves'))), matrices);
  const norms = normsOf(read('norms'));

  return (text) => {
    const words: TaggedWord[] = [];
    const names: NameSpan[] = [];
    const others = new Map<number, string>();
    const scores = new Map<number, NameScores>();
    for (const part of sentenceParts(text, splitTokens(text), MAX_TOKENS)) {
      const first = words.length;
      const features = part.map((token) => featuresOf(token, norms));
      matrices.multiply(forTags(features), head, tagScores, part.length);
      const bestTags = part.map((_, index) => bestTag(labels, tagScores.data.subarray(index * tagScores.stride)));
      const scoreOf = (word: number, tag: string): number =>
        tagScores.data[word * tagScores.stride + (places.get(tag) ?? 0)] ?? 0;
      const lossOf = (word: number, tag: string): number => scoreOf(word, bestTags[word] ?? '') - scoreOf(word, tag);
      const tags = withOverlookedVerbs({ tokens: part, tags: bestTags, lossOf, isVerb });
      part.forEach((token, index) => {
        words.push({
          text: token.text,
          start: token.start,
          end: token.start + token.text.length,
          pos: tags[index] ?? 'XX',
          features: {},
          sentence: token.sentence,
        });
      });
      const isStart = part.map(({ sentence }, index) => index === 0 || sentence !== part[index - 1]?.sentence);
      const mayBegin = part.map(({ text: written }) => MAY_BEGIN.test(written));
      const found = findNames(forNames(features), isStart, mayBegin);
      for (const span of found.spans) names.push({ ...span, from: span.from + first, to: span.to + first });
      for (const { label, from, to } of found.others)
        for (let at = from; at < to; at += 1) others.set(at + first, label);
      for (const [at, score] of found.scores) scores.set(at + first, score);
    }
    return { words, names, others, scores };
  };
}

/**
 * Returns features in the order of the tables: norm, prefix, suffix, shape, whether a space follows, whether it is
 * white space.
 */
function featuresOf({ text: written, spaceAfter, norm }: Token, norms: ReadonlyMap<bigint, string>): WordFeatures {
  // The caches keep words for longer than their texts.
  const text = copyOfPart(written.slice(0, MAX_WORD_LENGTH));
  const known = norm ?? norms.get(cachedIdOf(text)) ?? text.toLowerCase();
  const characters = [...text];
  const ids = [known, characters[0] ?? '', characters.slice(-3).join(''), shapeOf(text)].map(cachedIdOf);
  return { key: `${known} ${text} ${spaceAfter ? 1 : 0}`, ids: [...ids, spaceAfter ? 1n : 0n, 0n] };
}

/** Longer tokens are not words, and would fill the caches. */
const MAX_WORD_LENGTH = 64;
const MAX_IDS = 20_000;
const ids = new Map<string, bigint>();

function cachedIdOf(text: string): bigint {
  const known = ids.get(text);
  if (known !== undefined) return known;
  const id = idOf(text);
  if (ids.size >= MAX_IDS) ids.clear();
  ids.set(text, id);
  return id;
}

function bestTag(labels: readonly string[], scores: Float32Array): string {
  let best = 0;
  for (let label = 1; label < labels.length; label += 1) if ((scores[label] ?? 0) > (scores[best] ?? 0)) best = label;
  return labels[best] ?? 'XX';
}

/** Returns spellings that count as another word, by the hash of the spelling. */
function normsOf(file: Buffer): Map<bigint, string> {
  const tables = unpack(file);
  const table = tables instanceof Map ? tables.get('lexeme_norm') : null;
  if (!(table instanceof Map)) throw new RangeError('there are no norms of words');
  return new Map([...table].map(([id, norm]) => [BigInt(id as number | bigint), String(norm)]));
}

function movesOf(file: Buffer): string {
  const content = unpack(file);
  const moves = content instanceof Map ? content.get('moves') : null;
  if (typeof moves !== 'string') throw new RangeError('there are no moves of names');
  return moves;
}
