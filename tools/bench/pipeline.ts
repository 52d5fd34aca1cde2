/**
 * `npm run bench:pipeline` measures the path of an item from PUT to webhook, and the cost of preparing media. `--
 * --only=texts` skips media, `-- --only=prepare` skips everything but the preparation of videos; both print the figures
 * and write nothing.
 */
import { parseArgs } from 'node:util';
import { resolveEngines } from '../scripts/engines/index.ts';
import { measureIntake } from './pipeline/intake.ts';
import { measureMemory, measurePrepare } from './pipeline/media.ts';
import { CA_FILE, startReceiver } from './support/receiver.ts';
import { printFigures, report } from './support/report.ts';
import { liftLimits, startBenchStack } from './support/stack.ts';
import { addWebhook } from './support/webhook.ts';

const { ffmpeg } = await resolveEngines({ report: console.error, env: process.env });
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const onlyTexts = values.only === 'texts';
const prepare = onlyTexts ? [] : await measurePrepare(ffmpeg);
if (values.only === 'prepare') {
  printFigures(prepare);
  process.exit();
}
const receiver = await startReceiver();
const stack = await startBenchStack(CA_FILE);
try {
  await liftLimits(stack);
  await addWebhook(stack, `${receiver.url}/hook`);
  const intake = await measureIntake(stack, receiver);
  if (onlyTexts) printFigures(intake);
  else report('pipeline', [...intake, ...prepare, ...(await measureMemory(stack, receiver, ffmpeg))]);
} finally {
  await stack.stop();
  receiver.close();
}
