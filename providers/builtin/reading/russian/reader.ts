/** Reads Russian: the morphology of each word in its sentence, and the names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMatrices } from '../../arithmetic/matrices.ts';
import { RUSSIAN_NETWORK_FILES } from '../common/readerFiles.ts';
import { sentenceParts, type InSentence } from '../common/sentenceParts.ts';
import type { TaggedText, TaggedWord } from '../common/types.ts';
import { viterbiTags, spansOf } from './viterbi.ts';
import { readWordVectors, type WordVectors } from './navec.ts';
import { createTagNetwork, MAX_TOKENS, NETWORK_FLOATS, type TagNetwork, type TagScores } from './slovnet.ts';
import { splitTokens, type Token } from './tokenise.ts';

export interface RussianReader {
  read(text: string): TaggedText;
  vectors: WordVectors;
}

/**
 * @param folder with the files of `RUSSIAN_NETWORK_FILES`
 * @throws Error if one is missing or not as expected
 */
export function loadRussianReader(folder: string): RussianReader {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const vectors = readWordVectors(read(RUSSIAN_NETWORK_FILES.vectors));
  const matrices = createMatrices(2 * NETWORK_FLOATS);
  const morphology = createTagNetwork(read(RUSSIAN_NETWORK_FILES.morphology), vectors, matrices);
  const names = createTagNetwork(read(RUSSIAN_NETWORK_FILES.names), vectors, matrices);
  return { vectors, read: (text) => readText(text, morphology, names) };
}

type PlacedToken = InSentence<Token>;

/** Half of the network's tokens, because gaps between the sentences take rows too. */
const MAX_PART_TOKENS = MAX_TOKENS / 2;

function readText(text: string, morphology: TagNetwork, names: TagNetwork): TaggedText {
  const words: TaggedWord[] = [];
  const spans: TaggedText['names'][number][] = [];
  for (const part of sentenceParts(text, splitTokens(text), MAX_PART_TOKENS)) {
    const first = words.length;
    words.push(...morphologyOf(part, morphology));
    if (names.transitions === null) throw new RangeError('the network of names has no transitions');
    const scores = names.scoresOf(part.map((token) => token.text));
    const tags = viterbiTags(scores, names.transitions, part.length);
    for (const span of spansOf(tags)) spans.push({ ...span, from: span.from + first, to: span.to + first });
  }
  return { words, names: spans };
}

function morphologyOf(tokens: readonly PlacedToken[], network: TagNetwork): TaggedWord[] {
  const rows: (string | null)[] = [];
  const rowOf: number[] = [];
  tokens.forEach((token, index) => {
    if (index > 0 && token.sentence !== tokens[index - 1]?.sentence) rows.push(null);
    rowOf.push(rows.length);
    rows.push(token.text);
  });
  const scores = network.scoresOf(rows);
  return tokens.map((token, index) => ({
    text: token.text,
    start: token.start,
    end: token.start + token.text.length,
    sentence: token.sentence,
    ...parseTag(bestTag(scores, rowOf[index] ?? 0)),
  }));
}

function bestTag({ tags, data, stride }: TagScores, row: number): string {
  let best = 0;
  let bestScore = data[row * stride] ?? 0;
  for (let tag = 1; tag < tags.length; tag += 1) {
    const score = data[row * stride + tag] ?? 0;
    if (score > bestScore) [best, bestScore] = [tag, score];
  }
  return tags[best] ?? 'X';
}

/** Caches parsed tags such as `NOUN|Case=Gen|Number=Sing`, because few distinct ones occur. */
const parsed = new Map<string, Pick<TaggedWord, 'pos' | 'features'>>();

function parseTag(tag: string): Pick<TaggedWord, 'pos' | 'features'> {
  const known = parsed.get(tag);
  if (known !== undefined) return known;
  const [pos = 'X', ...rest] = tag.split('|');
  const features = Object.fromEntries(rest.map((feature) => feature.split('=')).map(([key, value]) => [key, value]));
  const result = { pos, features: features as Record<string, string> };
  parsed.set(tag, result);
  return result;
}
