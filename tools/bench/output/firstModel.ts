/** Trains the model that ranks the responses before anything is measured, without other load. */
import type { Figure } from '../support/report.ts';
import { figure, type OutputBench } from './bench.ts';
import { beginTraining } from './backgroundLoad.ts';

export async function trainFirst(bench: OutputBench): Promise<Figure[]> {
  const training = await beginTraining(bench);
  if (training === null) {
    bench.log('no training can be started: answers are ranked without a model');
    return [];
  }
  bench.log('the first training');
  const { model, seconds } = await training.ended();
  bench.log(`the first training ended: ${JSON.stringify(model)}`);
  if (model.state === 'failed') throw new Error(`the training failed: ${model.reason}`);
  return [figure('a training alone', seconds, 's')];
}
