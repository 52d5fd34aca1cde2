/**
 * `npm run quality:api -- FILE [--columns 0,1,3] [--items FILE] [--seed 1] [--untimed]`: sends the events of FILE, in
 * the form that `npm run quality:output` reads, to the stack that `npm start` runs, but holds back those of some items
 * of each person. It trains a model and measures how many of these items the feed finds, by its ranking alone and with
 * default settings, compared with popularity, item kNN and EASE. Each run leaves two projects in the stack. `--items`
 * names a file with the id and title of each item, and perhaps words that describe it; without it an item's title is
 * its id. `--seed` draws other items; `--untimed` sends the events without their times.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Case } from '../../../output/training/evaluate/evaluationWindow.ts';
import { at, wholeOf, type Interactions } from '../../../output/training/rows/interactions.ts';
import { rankingQuality } from '../../../output/training/evaluate/rankingQuality.ts';
import { readDescription } from '../dev/settings/devFiles.ts';
import { itemRankers, peopleRanker } from './baselines.ts';
import { lastItem, randomFifth, type HeldOut } from './heldOut.ts';
import { readItemTexts, readTable } from './readTable.ts';
import { tellTable } from './tellTable.ts';
import { RANKING_ALONE, sendAndTrain } from './throughApi.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    columns: { type: 'string' },
    items: { type: 'string' },
    seed: { type: 'string', default: '1' },
    untimed: { type: 'boolean', default: false },
  },
});
const [path] = positionals;
const seed = Number(values.seed);
if (path === undefined || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run quality:api -- FILE [--columns 0,1,3] [--items FILE] [--seed 1] [--untimed]');
  process.exit(2);
}
const dataDir = resolve(process.env['ATTUNE_DATA_DIR']?.trim() || 'data');
const dev = await readDescription(dataDir);
const data = await readTable(path, { columns: values.columns?.split(',').map(Number) ?? null });
const texts = values.items === undefined ? new Map<string, never>() : await readItemTexts(values.items);
const asked = [
  await ask('a random fifth of each person’s items', randomFifth(data, seed)),
  await ask('the last item of each person', lastItem(data)),
];
// The baselines come after all requests: they keep the process busy for minutes, in which the stack closes idle
// connections.
for (const each of asked) tell(each);

interface Asked {
  name: string;
  train: Interactions;
  cases: readonly Case[];
  /** For each case the ranking alone, and the feed with default settings. */
  rankings: readonly number[][];
  feeds: readonly number[][];
  training: string;
}

async function ask(name: string, { train, relevant }: HeldOut): Promise<Asked> {
  if (dev === null) throw new Error(`no stack runs on ${dataDir}: run npm start first`);
  const cases = casesOf(train, relevant);
  const product = await sendAndTrain(dev, train, { isTimed: !values.untimed, texts });
  const people = cases.map(({ person }) => person);
  const rankings = await product.askAll(people, RANKING_ALONE);
  const feeds = await product.askAll(people, {});
  return { name, train, cases, rankings, feeds, training: product.training };
}

function tell({ name, train, cases, rankings, feeds, training }: Asked): void {
  console.log(`\n${name}, ${cases.length} people; the model was ${training}`);
  const foundBy = (lists: readonly number[][]) =>
    cases.map((each, place) => rankingQuality(lists[place] ?? [], each.relevant));
  tellTable([
    { name: 'feed, ranking alone', found: foundBy(rankings) },
    { name: 'feed, default settings', found: foundBy(feeds) },
    ...[['popular', peopleRanker(train)] as const, ...itemRankers(train, train)].map(([baseline, rank]) => ({
      name: baseline,
      found: cases.map((each) => rankingQuality(rank(each), each.relevant)),
    })),
  ]);
}

function casesOf(train: Interactions, wanted: readonly Uint32Array[]): Case[] {
  const known = wholeOf(train);
  const moment = train.seconds.reduce((latest, each) => Math.max(latest, each), 0);
  return wanted.flatMap((own, person) =>
    own.length > 0 && at(known, person) > 0 ? [{ person, known: at(known, person), moment, relevant: own }] : [],
  );
}
