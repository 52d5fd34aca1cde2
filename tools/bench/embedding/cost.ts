/** Measures the cost of vectors: memory, and the time of consecutive calls, as activities make them. */
import type { CallContext } from '../../../providers/types.ts';
import { percentile, type Figure } from '../support/report.ts';
import type { Model, Usage } from './models.ts';
import type { Language, Pairs } from './pairs.ts';

const MIB = 2 ** 20;
const TIMES = 60;
const WARM_UP = 5;

/** Lengths in characters: the longest chunk, a short item, a typical typed query. */
const CHUNK = 1_600;
const SHORT_TEXT = 300;
const QUERY = 40;

/** @param model a model that has not been used yet, so that its memory is separable from that of its process */
export async function measureCost({ embedding, usage }: Model, pairs: Pairs, context: CallContext): Promise<Figure[]> {
  const idleBytes = usage().residentBytes;
  const passage = async (text: string): Promise<void> => void (await embedding.run([text], context));
  const query = async (text: string): Promise<void> => void (await embedding.embedQuery(text, context));
  const started = performance.now();
  await passage('кот');
  const first = performance.now() - started;
  return [
    { name: 'first vector, including loading the model', value: first, unit: 'ms', aim: null },
    ...(await timesOf('chunk of 1,600 characters in Russian', usage, passage, excerpts(pairs, 'ru', CHUNK))),
    ...(await timesOf('chunk of 1,600 characters in English', usage, passage, excerpts(pairs, 'en', CHUNK))),
    ...(await timesOf('text of 300 characters in Russian', usage, passage, excerpts(pairs, 'ru', SHORT_TEXT))),
    ...(await timesOf('query of 40 characters in Russian', usage, query, excerpts(pairs, 'ru', QUERY))),
    {
      name: 'memory above an idle process',
      value: (usage().residentBytes - idleBytes) / MIB,
      unit: 'MiB',
      aim: null,
    },
  ];
}

/** Returns excerpts of this many characters each, from all over the documents. */
function excerpts({ documents }: Pairs, language: Language, length: number): string[] {
  const text = documents
    .filter((document) => document.language === language)
    .map((document) => document.text)
    .join(' ');
  return Array.from({ length: TIMES + WARM_UP }, (_, index) => {
    const start = (index * 977) % (text.length - length);
    return text.slice(start, start + length);
  });
}

/**
 * Returns the median duration of a call, and the processor time of all threads, which does not depend on other load.
 */
async function timesOf(
  name: string,
  usage: () => Usage,
  work: (text: string) => Promise<void>,
  texts: string[],
): Promise<Figure[]> {
  for (const text of texts.slice(0, WARM_UP)) await work(text);
  const times: number[] = [];
  const before = usage().processorMs;
  for (const text of texts.slice(WARM_UP)) {
    const started = performance.now();
    await work(text);
    times.push(performance.now() - started);
  }
  const used = usage().processorMs - before;
  return [
    { name: `${name}, median`, value: percentile(times, 50), unit: 'ms', aim: null },
    { name: `${name}, processor time`, value: used / times.length, unit: 'ms', aim: null },
  ];
}
