import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

it('a process of a pool that dies while the pool is replaced does not stop the replacement', async () => {
  const primary = fork(join(import.meta.dirname, 'fixtures', 'pool.ts'), { execArgv: [] });
  const [processes] = (await once(primary, 'message')) as [number];
  expect(processes).toBe(2);
  primary.kill();
  await once(primary, 'exit');
});
