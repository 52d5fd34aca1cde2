/** A benchmark leaves no server behind, whether it is stopped or fails. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isAlive } from '../../../tools/scripts/engines/fetch/process.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/startDatabase.ts');

describe("a benchmark's database", () => {
  it.each([
    { how: 'SIGINT', ends: 130 },
    { how: 'SIGTERM', ends: 143 },
    { how: 'fails', ends: 1 },
  ] as const)('stops, and its folder is removed, when the benchmark ends: $how', async ({ how, ends }) => {
    const bench = fork(FIXTURE, [how], { execArgv: ['--disable-warning=ExperimentalWarning'], silent: true });
    const exited = once(bench, 'exit');
    const [{ pid, folder }] = (await once(bench, 'message')) as [{ pid: number; folder: string }];
    if (how !== 'fails') bench.kill(how);
    expect(await exited).toEqual([ends, null]);
    expect([isAlive(pid), existsSync(folder)]).toEqual([false, false]);
  });
});
