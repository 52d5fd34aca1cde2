import { describe, expect, it } from '@jest/globals';
import { startWorkerProcess, workerEnv } from './workerProcess.ts';

const NOBODY = '127.0.0.1:1';

/** Counts the child processes that have not ended. */
const children = (): number => process.getActiveResourcesInfo().filter((type) => type === 'ProcessWrap').length;

describe('a worker that does not start', () => {
  it('leaves no process behind', async () => {
    const before = children();
    const env = {
      ...workerEnv(`postgres://x@${NOBODY}/x`, { address: NOBODY, namespace: 'x' }),
      // Its first message is a different one; then it waits for Temporal.
      NODE_OPTIONS: "--import=data:text/javascript,process.send('lost')",
    };
    await expect(startWorkerProcess('workflow', env)).rejects.toThrow('said "lost" instead of ready');
    expect(children()).toBe(before);
  });
});
