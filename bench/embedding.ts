/**
 * `npm run bench:embedding`: what the vectors of each model find and what they cost. `-- --configured` measures the
 * model of the environment (`EMBEDDING_BASE_URL`, `EMBEDDING_MODEL`, …) as well, prints, and writes nothing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { resolveSentenceEncoderDir } from '../scripts/engines/index.ts';
import { printFigures, type Figure } from '../scripts/load/figures.ts';
import type { ModelName } from './embedding/models.ts';
import { report } from './support/report.ts';

const withConfigured = process.argv.includes('--configured');
const folder = await resolveSentenceEncoderDir({ report: console.error, env: process.env });
if (folder === null) throw new Error('without the sentence encoder there is nothing to compare');

/** In a process of its own: the memory of one model is not that of another. */
async function measure(model: ModelName): Promise<Figure[]> {
  const child = fork(join(import.meta.dirname, 'embedding/measure.ts'), [model], {
    env: { ...process.env, SENTENCE_ENCODER_DIR: folder ?? '' },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const figures: Figure[] = [];
  child.on('message', (message) => figures.push(...(message as Figure[])));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the measurement of the ${model} model ended with ${code}`);
  return figures;
}

const figures = [...(await measure('lexical')), ...(await measure('sentence encoder'))];
if (withConfigured) printFigures([...figures, ...(await measure('configured'))]);
else report('embedding', figures);
