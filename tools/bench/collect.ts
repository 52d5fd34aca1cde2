/**
 * `npm run bench:collect` measures the path of a hit. `-- --brief` is a quick run that writes no figures; `--
 * --only=accept` runs one part; `-- --profile=FOLDER` saves a CPU profile of the API there.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveEngine } from '../scripts/engines/index.ts';
import { measureAccept } from './collect/accept.ts';
import { measureIngest } from './collect/ingest.ts';
import { startCollectStage, type CollectStage } from './collect/stage.ts';
import { printFigures, report, type Figure } from './support/report.ts';

/** The parts run in this order; each gets the stage as the previous one left it. */
const PARTS: Record<string, (stage: CollectStage) => Promise<Figure[]>> = {
  accept: measureAccept,
  ingest: measureIngest,
};

const { values } = parseArgs({
  options: {
    brief: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    profile: { type: 'string' },
  },
});
const chosen = Object.entries(PARTS).filter(([name]) => values.only?.includes(name) ?? true);
const binDir = await resolveEngine('postgres', { report: console.error, env: process.env });
const stage = await startCollectStage(binDir, {
  seconds: values.brief ? 5 : 20,
  profile: values.profile === undefined ? null : resolve(values.profile),
});
try {
  const figures: Figure[] = [];
  for (const [, measure] of chosen) figures.push(...(await measure(stage)));
  if (values.brief || values.only || values.profile) printFigures(figures);
  else report('collect', figures);
} finally {
  await stage.close();
}
