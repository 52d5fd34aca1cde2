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
  const first = await timeOf(() => passage('кот'));
  const short = await timesOf(passage, excerpts(pairs, 'ru', SHORT_TEXT));
  return [
    milliseconds('first vector, the model loaded for it', first),
    milliseconds(
      'chunk of 1,600 characters in Russian, median',
      median(await timesOf(passage, excerpts(pairs, 'ru', CHUNK))),
    ),
    milliseconds(
      'chunk of 1,600 characters in English, median',
      median(await timesOf(passage, excerpts(pairs, 'en', CHUNK))),
    ),
    milliseconds('text of 300 characters in Russian, median', median(short)),
    { name: 'texts of 300 characters, one thread', value: 1000 / median(short), unit: 'texts/s', aim: null },
    milliseconds(
      'query of 40 characters in Russian, median',
      median(await timesOf(query, excerpts(pairs, 'ru', QUERY))),
    ),
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

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function timesOf(work: (text: string) => Promise<void>, texts: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const text of texts) times.push(await timeOf(() => work(text)));
  return times.slice(WARM_UP);
}

const median = (values: readonly number[]): number => percentile(values, 50);

function milliseconds(name: string, value: number): Figure {
  return { name, value, unit: 'ms', aim: null };
}
