/** `npm run bench:pipeline`: the way of an item, from PUT to webhook, and what preparing media costs. */
import { resolveEngines } from '../scripts/engines/index.ts';
import { measureIntake } from './pipeline/intake.ts';
import { measureMemory, measurePrepare } from './pipeline/media.ts';
import { CA_FILE, startReceiver } from './support/receiver.ts';
import { report } from './support/report.ts';
import { liftLimits, startBenchStack } from './support/stack.ts';
import { addWebhook } from './support/webhook.ts';

const { ffmpeg } = await resolveEngines({ report: console.error, env: process.env });
const prepare = await measurePrepare(ffmpeg);
const receiver = await startReceiver();
const stack = await startBenchStack(CA_FILE);
try {
  await liftLimits(stack);
  await addWebhook(stack, `${receiver.url}/hook`);
  const intake = await measureIntake(stack, receiver);
  const memory = await measureMemory(stack, receiver, ffmpeg);
  report('pipeline', [...intake, ...prepare, ...memory]);
} finally {
  await stack.stop();
  receiver.close();
}
