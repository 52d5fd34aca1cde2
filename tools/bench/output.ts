/**
 * `npm run bench:output` measures recommendations and search over 100,000 items and a million events, on a separate
 * stack with PostgreSQL as `npm start` configures it: requests alone and during an intake and a training, the cost of
 * each kind of request, the time from a write to the next response, and the cold start of a selection process.
 *
 * `-- --items 1000000` is run by hand; `--catalogue-mb` then sets the memory for selection. `-- --seconds 10` is a
 * quick run; `-- --only=alone --per-second 50 --per-second 75` runs the mix alone at other rates; `-- --untrained`
 * runs without a model or a training, which take too long on a shared machine; `-- --only=kinds` runs one part
 * (cold, kinds, alone, company, fresh); `-- --profile=FOLDER` saves a CPU profile of every process there; `--
 * --statements` lists the statements that cost PostgreSQL most. Such runs print the figures and write nothing.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SHARED_BUFFERS } from '../scripts/dev/engines.ts';
import { resolveEngines, resolveSentenceEncoderDir } from '../scripts/engines/index.ts';
import { startBenchDatabase } from './intake/database.ts';
import { figure, type OutputBench } from './output/bench.ts';
import { measureCold, untilWarm } from './output/cold.ts';
import { measureFreshness } from './output/fresh.ts';
import { trainFirst } from './output/firstModel.ts';
import { createBenchClient, type BenchClient } from './output/load.ts';
import { availableKinds } from './output/availableKinds.ts';
import { printStatements, STATEMENTS_SETTINGS } from './output/statements.ts';
import { PER_SECOND, measureAlone, measureIdle, measureUnderBackgroundLoad, measureKinds } from './output/underLoad.ts';
import { readMemory } from './output/processUsage.ts';
import { fillWorld } from './output/world/fill.ts';
import { countPopularity } from './output/world/popularity.ts';
import { sizeOf } from './output/world/size.ts';
import { loadTopics } from './output/world/topics.ts';
import { CA_FILE } from './support/receiver.ts';
import { printFigures, report, type Figure } from './support/report.ts';
import { liftLimits, startBenchStack, type BenchStack } from './support/stack.ts';

const ITEMS = 100_000;
const SECONDS = 60;
/** The settings of `npm start`. */
const POSTGRES = { shared_buffers: SHARED_BUFFERS, max_wal_size: '1GB', checkpoint_timeout: '5min' };

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: String(ITEMS) },
    seconds: { type: 'string', default: String(SECONDS) },
    only: { type: 'string', multiple: true },
    profile: { type: 'string' },
    statements: { type: 'boolean', default: false },
    untrained: { type: 'boolean', default: false },
    'per-second': { type: 'string', multiple: true },
    'catalogue-mb': { type: 'string' },
  },
});
const log = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
const size = sizeOf(Number(values.items));
const options = { report: log, env: process.env };
const { postgresBinDir } = await resolveEngines(options);
const encoderDir = await resolveSentenceEncoderDir(options);
if (encoderDir === null) throw new Error('without the sentence encoder the items have no vectors');
const topics = await loadTopics(encoderDir);

const database = await startBenchDatabase(postgresBinDir, {
  ...POSTGRES,
  ...(values.statements && STATEMENTS_SETTINGS),
});
try {
  const stack = await startBenchStack(CA_FILE, {
    DATABASE_URL: database.url,
    IP_REQUESTS_PER_MINUTE: '1000000',
    IP_SIMULTANEOUS: '100000',
    ...(values['catalogue-mb'] !== undefined && { SELECTION_CATALOGUE_MB: values['catalogue-mb'] }),
    ...(values.profile !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(values.profile)}` }),
  });
  const client = createBenchClient({ url: stack.contentUrl, key: stack.project.key });
  try {
    reportFigures(await measure(stack, client));
  } finally {
    await client.close();
    await stack.stop();
  }
} finally {
  await database.stop();
}

async function measure(stack: BenchStack, client: BenchClient): Promise<Figure[]> {
  await liftLimits(stack);
  const world = { projectId: stack.project.id, size, topics, now: Date.now() };
  const start = performance.now();
  await fillWorld(database, world, log);
  const filled = (performance.now() - start) / 1_000;
  await countPopularity(database, world);
  log('popularity is counted');
  const kinds = await availableKinds(client, world, log);
  const bench: OutputBench = { stack, database, client, world, kinds, seconds: Number(values.seconds), log };
  const figures: Figure[] = [figure(`${size.items} items and ${size.events} events written by SQL`, filled, 's')];
  if (!values.untrained) figures.push(...(await trainFirst(bench)));
  await untilWarm(bench);
  const idle = await measureIdle(bench);
  const parts = {
    cold: () => measureCold(bench),
    kinds: () => measureKinds(bench, idle),
    alone: async () => (await eachRate((perSecond) => measureAlone(bench, idle, perSecond))).flat(),
    company: () => measureUnderBackgroundLoad(bench, idle, { trains: !values.untrained }),
    fresh: () => measureFreshness(bench),
  };
  for (const [name, measurePart] of Object.entries(parts))
    if (values.only?.includes(name) ?? true) figures.push(...(await measurePart()));
  for (const name of ['api', 'selection'] as const)
    figures.push(figure(`${name}, peak resident memory`, (await readMemory(bench, name)).peak, 'MB'));
  if (values.statements) await printStatements(database);
  return figures;
}

/** Measures at each of the given rates, one after the other. */
async function eachRate<T>(measureAt: (perSecond: number) => Promise<T>): Promise<T[]> {
  const measured: T[] = [];
  for (const rate of values['per-second'] ?? [PER_SECOND]) measured.push(await measureAt(Number(rate)));
  return measured;
}

/** Writes the figures of a complete run. */
function reportFigures(figures: readonly Figure[]): void {
  const isUsual =
    !values.only &&
    !values.untrained &&
    !values.profile &&
    !values.statements &&
    !values['per-second'] &&
    values['catalogue-mb'] === undefined;
  if (isUsual && size.items === ITEMS && Number(values.seconds) === SECONDS) report('output', figures);
  else printFigures(figures);
}
