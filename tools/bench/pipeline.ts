/**
 * `npm run bench:pipeline` measures the path of an item from PUT to webhook, and the cost of preparing media. `--
 * --only=texts` skips media, `-- --only=bulk` measures the rate of short texts and an idle stack, `-- --only=prepare`
 * the preparation of videos; `-- --profile=FOLDER` saves CPU profiles. With any of these the figures are only printed,
 * not recorded.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveEngines } from '../scripts/engines/index.ts';
import { measureBulk, measureIntake } from './pipeline/intake.ts';
import { measureMemory, measurePrepare } from './pipeline/media.ts';
import { CA_FILE, startReceiver } from './support/receiver.ts';
import { printFigures, report } from './support/report.ts';
import { liftLimits, startBenchStack } from './support/stack.ts';
import { addWebhook } from './support/webhook.ts';

const { ffmpeg } = await resolveEngines({ report: console.error, env: process.env });
const { values } = parseArgs({ options: { only: { type: 'string' }, profile: { type: 'string' } } });
const onlyTexts = values.only === 'texts' || values.only === 'bulk';
const prepare = onlyTexts ? [] : await measurePrepare(ffmpeg);
if (values.only === 'prepare') {
  printFigures(prepare);
  process.exit();
}
const receiver = await startReceiver();
const stack = await startBenchStack(CA_FILE, {
  ...(values.profile !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(values.profile)}` }),
});
try {
  await liftLimits(stack);
  await addWebhook(stack, `${receiver.url}/hook`);
  const intake = await (values.only === 'bulk' ? measureBulk : measureIntake)(stack, receiver);
  if (onlyTexts || values.profile !== undefined) printFigures(intake);
  else report('pipeline', [...intake, ...prepare, ...(await measureMemory(stack, receiver, ffmpeg))]);
} finally {
  await stack.stop();
  receiver.close();
}
