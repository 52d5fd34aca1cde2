import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from './fixtures/pool.ts';

let primary: ChildProcess | undefined;

afterEach(async () => {
  if (primary === undefined || primary.exitCode !== null) return;
  const ended = once(primary, 'exit');
  primary.kill();
  await ended;
});

const SCENARIOS: Scenario[] = [
  'an old one, before its turn',
  'a new one, and its pause ends while an old one drains',
  'a new one, and its pause ends while the last old one drains',
  'a new one, and its pause ends afterwards',
  'two old ones, and their pause ends while another drains',
];

describe('a pool whose processes are replaced', () => {
  it.each(SCENARIOS)('has as many as before, even if these die meanwhile: %s', async (scenario) => {
    primary = fork(join(import.meta.dirname, 'fixtures', 'pool.ts'), [scenario], { execArgv: [] });
    const [{ left, size }] = (await once(primary, 'message')) as [{ left: number; size: number }];
    expect(left).toBe(size);
  });
});
