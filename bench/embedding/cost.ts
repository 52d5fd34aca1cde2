/** What vectors cost: time of one call after another, as activities make them, and memory. */
import type { CallContext, EmbeddingCapability } from '../../providers/types.ts';
import { percentile, type Figure } from '../support/report.ts';
import type { Language, Pairs } from './pairs.ts';

const MIB = 2 ** 20;
const TIMES = 60;
const WARM_UP = 5;

/** Lengths in characters: the longest chunk, a short item, a query as people type it. */
const CHUNK = 1_600;
const SHORT_TEXT = 300;
const QUERY = 40;

/** @param idleBytes resident memory of the process before the model was used */
export async function measureCost(
  embedding: EmbeddingCapability,
  pairs: Pairs,
  context: CallContext,
  idleBytes: number,
): Promise<Figure[]> {
  const passage = async (text: string): Promise<void> => void (await embedding.run([text], context));
  const query = async (text: string): Promise<void> => void (await embedding.embedQuery(text, context));
  const started = performance.now();
  await passage('кот');
  const first = performance.now() - started;
  return [
    { name: 'first vector, the model loaded for it', value: first, unit: 'ms', aim: null },
    ...(await timesOf('chunk of 1,600 characters in Russian', passage, excerpts(pairs, 'ru', CHUNK))),
    ...(await timesOf('chunk of 1,600 characters in English', passage, excerpts(pairs, 'en', CHUNK))),
    ...(await timesOf('text of 300 characters in Russian', passage, excerpts(pairs, 'ru', SHORT_TEXT))),
    ...(await timesOf('query of 40 characters in Russian', query, excerpts(pairs, 'ru', QUERY))),
    {
      name: 'memory above an idle process',
      value: (process.memoryUsage.rss() - idleBytes) / MIB,
      unit: 'MiB',
      aim: null,
    },
  ];
}

/** Of so many characters each, from all over the documents. */
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

/** The median of the time that a call takes, and the processor time of all threads, which a busy machine does not change. */
async function timesOf(name: string, work: (text: string) => Promise<void>, texts: string[]): Promise<Figure[]> {
  for (const text of texts.slice(0, WARM_UP)) await work(text);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (const text of texts.slice(WARM_UP)) {
    const started = performance.now();
    await work(text);
    times.push(performance.now() - started);
  }
  const { user, system } = process.cpuUsage(before);
  return [
    { name: `${name}, median`, value: percentile(times, 50), unit: 'ms', aim: null },
    { name: `${name}, processor time`, value: (user + system) / 1000 / times.length, unit: 'ms', aim: null },
  ];
}
