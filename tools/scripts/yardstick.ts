/**
 * `npm run yardstick`: analyses the samples of tools/samples/yardstick with the built-in provider, compares the results
 * with a person's answers, prints one table and writes tools/bench/results/yardstick.json. `-- --kind text` runs a
 * single kind, `-- --show` prints each answer with what is missing and what is wrong; both write nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createBuiltinProviders } from '../../providers/builtin/index.ts';
import { MODELS } from '../../providers/builtin/modelVersions.ts';
import { writeResults } from '../load/results.ts';
import {
  resolveEngine,
  resolveNudityModelDir,
  resolveSentenceEncoderDir,
  resolveTessdataDirs,
  resolveTextReaderDirs,
} from './engines/index.ts';
import {
  COLUMNS,
  figuresOf,
  judge,
  listOf,
  nameFiguresOf,
  shortFiguresOf,
  tableOf,
  type Figures,
  type Judged,
} from './yardstick/figures.ts';
import { answerMedia, analyseMedia, type MediaTools } from './yardstick/media.ts';
import { mediaFiguresOf, type JudgedMedia } from './yardstick/mediaFigures.ts';
import { readSamples, type Sample } from './yardstick/samples.ts';
import { showAnswer } from './yardstick/show.ts';
import { answerText } from './yardstick/texts.ts';

const { values } = parseArgs({ options: { kind: { type: 'string' }, show: { type: 'boolean', default: false } } });
const isPart = values.kind !== undefined || values.show;

const context = { report: console.error, env: process.env };
const providers = createBuiltinProviders({
  tessdataDirs: await resolveTessdataDirs(context),
  nudityModelDir: await resolveNudityModelDir(context),
  sentenceEncoderDir: await resolveSentenceEncoderDir(context),
  textReaders: await resolveTextReaderDirs(context),
});
const samples = (await readSamples()).filter(({ kind }) => values.kind === undefined || kind === values.kind);
const tools: MediaTools = {
  providers,
  ffmpeg: await resolveEngine('ffmpeg', context),
  workDir: await mkdtemp(join(tmpdir(), 'attune-yardstick-')),
};
const judged: Judged[] = [];
const media: JudgedMedia[] = [];
for (const sample of samples) {
  if (sample.kind === 'picture' || sample.kind === 'video') {
    const seen = await analyseMedia(sample, tools);
    media.push({ judged: judge(sample, await answerMedia(sample, seen, providers)), seen });
  } else judged.push(judge(sample, await answerText(sample, providers)));
}
await rm(tools.workDir, { recursive: true });
await providers.close();

if (values.show) for (const each of [...judged, ...media.map((one) => one.judged)]) console.log(showAnswer(each));
const texts = (kind: Sample['kind'], isOf: (sample: Sample) => boolean = () => true): Judged[] =>
  judged.filter(({ sample }) => sample.kind === kind && isOf(sample));
const seen = (kind: Sample['kind']): JudgedMedia[] => media.filter(({ judged: { sample } }) => sample.kind === kind);
const columns: Record<string, Figures> = {
  ...Object.fromEntries(
    Object.entries(COLUMNS).map(([name, isOf]) => [`texts, ${name}`, figuresOf(texts('text', isOf))]),
  ),
  'short, Russian': shortFiguresOf(texts('short', COLUMNS.Russian)),
  'short, English': shortFiguresOf(texts('short', COLUMNS.English)),
  sentences: nameFiguresOf(texts('sentence')),
  'passages, looked at': nameFiguresOf(texts('passage', (sample) => !COLUMNS['held out'](sample))),
  'passages, held out': nameFiguresOf(texts('passage', COLUMNS['held out'])),
  'control, Russian': figuresOf(texts('control', COLUMNS.Russian)),
  'control, English': figuresOf(texts('control', COLUMNS.English)),
  'fresh, Russian': figuresOf(texts('fresh', COLUMNS.Russian)),
  'fresh, English': figuresOf(texts('fresh', COLUMNS.English)),
  'narrow, Russian': shortFiguresOf(texts('narrow', COLUMNS.Russian)),
  'narrow, English': shortFiguresOf(texts('narrow', COLUMNS.English)),
  pictures: mediaFiguresOf(seen('picture')),
  videos: mediaFiguresOf(seen('video')),
};
console.log(tableOf(columns));
const frameMs = media.flatMap((each) => each.seen.frameMs).toSorted((x, y) => x - y);
console.log(`\nprocessor time of a frame: median ${ms(frameMs[frameMs.length >> 1])}, maximum ${ms(frameMs.at(-1))}`);
if (!isPart) {
  const models = { ...MODELS, summary: providers.summary.model, vision: providers.vision.model };
  writeResults('yardstick', { models, samples: samples.length, figures: listOf(columns) });
}

function ms(value: number | undefined): string {
  return value === undefined ? 'none' : `${value.toFixed(0)} ms`;
}
