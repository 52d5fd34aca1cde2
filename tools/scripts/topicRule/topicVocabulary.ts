/**
 * `node tools/scripts/topicRule/topicVocabulary.ts`: gives the built-in summary the vocabulary of tools/samples/yardstick
 * in each language, with vectors of meaning and without, and prints precision and recall of the topics for the texts of
 * the yardstick and of tools/bench/output/pairs.json. `-- --show` prints the wrong topics. Nothing is written.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { topics } from '../../../domain/dictionaries/interests.ts';
import { createBuiltinProviders, type BuiltinProviders } from '../../../providers/builtin/index.ts';
import { detectLanguage } from '../../../providers/builtin/text/detectLanguage.ts';
import type { SummaryInput } from '../../../providers/types.ts';
import { resolveSentenceEncoderDir } from '../engines/index.ts';
import { readPieces } from './pieces.ts';
import { readSamples, type Sample } from '../yardstick/samples.ts';
import { summaryInput } from '../yardstick/texts.ts';

interface Document {
  id: string;
  item: SummaryInput;
  isShort: boolean;
  /** Ids of the interests that a person would accept, with those above them. */
  right: ReadonlySet<string>;
}

interface Named {
  ru: string;
  en: string;
  interests: string[];
}

const ROOT = join(import.meta.dirname, '../../..');
const CONTEXT = { signal: new AbortController().signal, progress: () => undefined };
const { values } = parseArgs({ options: { show: { type: 'boolean', default: false } } });

const file = await readFile(join(ROOT, 'tools/samples/yardstick/vocabulary.json'), 'utf8');
const vocabulary = (JSON.parse(file) as { topics: Named[] }).topics;
const documents = [
  ...(await readSamples()).filter(({ kind }) => isText(kind)).map(documentOf),
  ...(await readOthers()),
];
const encoder = await resolveSentenceEncoderDir({ report: console.error, env: process.env });

for (const [how, sentenceEncoderDir] of [['by words', null] as const, ['by meaning', encoder] as const]) {
  const providers = createBuiltinProviders({ tessdataDirs: [], sentenceEncoderDir });
  for (const language of ['ru', 'en'] as const)
    for (const isShort of [false, true])
      for (const spoken of ['ru', 'en'] as const) {
        const chosen = documents.filter((each) => each.isShort === isShort && languageOf(each) === spoken);
        const figures = await judge(chosen, language, providers);
        console.log(
          `${how}, vocabulary ${language}, ${isShort ? 'short texts' : 'texts'} ${spoken} (${chosen.length}): ${figures}`,
        );
      }
  await providers.close();
}

async function judge(
  chosen: readonly Document[],
  language: 'ru' | 'en',
  { summary }: BuiltinProviders,
): Promise<string> {
  const topicsAllowed = vocabulary.map((topic) => topic[language]);
  let [right, given, expected] = [0, 0, 0];
  for (const { id, item, right: accepted } of chosen) {
    const wanted = new Set(
      vocabulary
        .filter(({ interests }) => interests.some((each) => accepted.has(each)))
        .map((topic) => topic[language]),
    );
    const { topics: found } = (await summary.run({ ...item, topicsAllowed }, CONTEXT)).value;
    const wrong = found.filter((topic) => !wanted.has(topic));
    if (values.show && wrong.length > 0) console.log(`  ${id}: ${wrong.join(', ')}`);
    right += found.length - wrong.length;
    given += found.length;
    expected += wanted.size;
  }
  return `${right} of ${given} given are right (${percent(right, given)}), of ${expected} expected (${percent(right, expected)})`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

function isText(kind: Sample['kind']): boolean {
  return kind === 'text' || kind === 'control' || kind === 'short';
}

function documentOf(sample: Sample): Document {
  const named = [...(sample.expect.topics ?? []), ...(sample.expect.topics_also ?? [])].flatMap((each) =>
    each.split('|'),
  );
  const isNamed = ({ ru, en }: { ru: string; en: string }): boolean =>
    named.some((name) => [ru, en].some((own) => own.toLowerCase() === name.trim().toLowerCase()));
  const ids = [...topics.values()].filter(isNamed).map(({ id }) => id);
  return { id: sample.name, item: summaryInput(sample), isShort: sample.kind === 'short', right: withAncestors(ids) };
}

/** Returns the texts of other authors: whole documents, and short texts that support no topic. */
async function readOthers(): Promise<Document[]> {
  const pieces = await readPieces();
  const whole = pieces.filter(({ document, kind }) => kind === 'none' || (kind === 'whole' && /^d\d+$/.test(document)));
  return whole.map(({ document, kind, item, right }) => ({
    id: document,
    item,
    isShort: kind === 'none',
    right: withAncestors([...right]),
  }));
}

function withAncestors(ids: readonly string[]): Set<string> {
  return new Set(ids.flatMap((id) => [id, topics.get(id)?.parent ?? id]));
}

function languageOf({ item }: Document): 'ru' | 'en' {
  const text = [item.title, item.description, item.body, ...item.transcripts].filter(Boolean).join('\n');
  return detectLanguage(text) === 'ru' ? 'ru' : 'en';
}
