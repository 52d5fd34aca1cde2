/** Runs as a separate process to show the effect of the environment: prints the status of one POST. */
import { parseAllowNetworks } from '../../../../platform/outgoing/forbiddenAddresses.ts';
import { createGuardedAgent } from '../../../../platform/outgoing/connect.ts';
import { isSuccess } from '../../../../loops/delivery/attempt.ts';
import { postOnce } from '../../../../platform/outgoing/post.ts';

const agent = createGuardedAgent({ allow: parseAllowNetworks('127.0.0.0/8') });
const outcome = await postOnce(agent, {
  url: process.argv[2] ?? '',
  headers: {},
  body: '{}',
  isSuccess,
  deadlineMs: 5_000,
});
console.log(outcome.status);
await agent.close();
