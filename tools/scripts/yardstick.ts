/**
 * `npm run yardstick`: analyses the samples of tools/samples/yardstick with the built-in provider, compares the results
 * with a person's answers, prints a table and writes tools/bench/results/yardstick.json. `-- --kind text` runs a single
 * kind, `-- --show` prints each answer with what is missing and what is wrong; both write nothing.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createBuiltinProviders } from '../../providers/builtin/index.ts';
import { MODELS } from '../../providers/builtin/result.ts';
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
  nameFiguresOf,
  shortFiguresOf,
  tableOf,
  type Figures,
  type Judged,
} from './yardstick/figures.ts';
import { answerMedia, lookAt, type MediaTools } from './yardstick/media.ts';
import { mediaFiguresOf, type JudgedMedia } from './yardstick/mediaFigures.ts';
import { readSamples, type Sample } from './yardstick/samples.ts';
import { showAnswer } from './yardstick/show.ts';
import { answerText } from './yardstick/texts.ts';

const RESULTS = join(import.meta.dirname, '../bench/results/yardstick.json');

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
  if (sample.kind === 'text' || sample.kind === 'short' || sample.kind === 'sentence')
    judged.push(judge(sample, await answerText(sample, providers)));
  else {
    const seen = await lookAt(sample, tools);
    media.push({ judged: judge(sample, await answerMedia(sample, seen, providers)), seen });
  }
}
await rm(tools.workDir, { recursive: true });
await providers.close();

if (values.show) for (const each of [...judged, ...media.map((one) => one.judged)]) console.log(showAnswer(each));
const ofKind = (kind: Sample['kind']): Judged[] => judged.filter(({ sample }) => sample.kind === kind);
const columnsOf = (all: readonly Judged[], figures: (part: readonly Judged[]) => Figures): Record<string, Figures> =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([name, isOf]) => [name, figures(all.filter(({ sample }) => isOf(sample)))]),
  );
const columns = columnsOf(ofKind('text'), figuresOf);
const short = columnsOf(ofKind('short'), shortFiguresOf);
const sentences = { sentences: nameFiguresOf(ofKind('sentence')) };
console.log(`${ofKind('text').length} texts, ${providers.summary.model}\n\n${tableOf(columns)}`);
console.log(`\n${ofKind('short').length} short texts\n\n${tableOf(short)}`);
console.log(`\n${ofKind('sentence').length} sentences\n\n${tableOf(sentences)}`);
const ofMedia = {
  pictures: mediaFiguresOf(media.filter(({ judged: { sample } }) => sample.kind === 'picture')),
  videos: mediaFiguresOf(media.filter(({ judged: { sample } }) => sample.kind === 'video')),
};
const frameMs = media.flatMap(({ seen }) => seen.frameMs).toSorted((x, y) => x - y);
console.log(`\n${media.length} pictures and videos, ${providers.vision.model}\n\n${tableOf(ofMedia)}`);
console.log(`\nprocessor time of a frame: median ${ms(frameMs[frameMs.length >> 1])}, most ${ms(frameMs.at(-1))}`);
if (!isPart) {
  const bySample = {
    ...Object.fromEntries(judged.map((each) => [each.sample.name, figuresOf([each])])),
    ...Object.fromEntries(media.map((each) => [each.judged.sample.name, mediaFiguresOf([each])])),
  };
  const models = { ...MODELS, summary: providers.summary.model, vision: providers.vision.model };
  await writeFile(
    RESULTS,
    `${JSON.stringify({ models, columns, short, sentences, media: ofMedia, bySample }, null, 2)}\n`,
  );
}

function ms(value: number | undefined): string {
  return value === undefined ? 'none' : `${value.toFixed(0)} ms`;
}
