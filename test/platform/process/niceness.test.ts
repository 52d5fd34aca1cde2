import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { lowerPrioritiesOf, raiseSessionPriority } from '../../../platform/process/niceness.ts';
import { eventually } from '../../support/eventually.ts';
import { mayRaiseSessions, sessionOf } from '../../support/programs/sessions.ts';
import { statFields } from '../../support/programs/statFields.ts';

const children: ChildProcess[] = [];

function start(args: string[], options: { detached?: boolean } = {}): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, args, { stdio: 'ignore', ...options });
  children.push(child);
  if (child.pid === undefined) throw new Error('node cannot be started');
  return child as ChildProcess & { pid: number };
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** Resolves once the condition holds. */
const expectSoon = (isSo: () => boolean, what: string): Promise<void> =>
  expect(eventually(isSo, what)).resolves.toBe(true);

describe('lowerPrioritiesOf', () => {
  it('lowers the other priorities if one of the threads has ended meanwhile', async () => {
    const ended = start(['-e', '']);
    const other = start(['-e', 'setInterval(() => {}, 1000)']);
    await once(ended, 'exit');
    lowerPrioritiesOf([ended.pid, other.pid]);
    expect(getPriority(other.pid)).toBe(10);
  });
});

(process.platform === 'linux' ? describe : describe.skip)('a process on Linux', () => {
  const background = join(import.meta.dirname, 'fixtures/background.ts');
  const nicenesses = (pid: number): number[] =>
    readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)));
  const SCHED_IDLE = 5;
  const policyOf = (pid: number | undefined, thread: string): number => statFields(`${pid}/task/${thread}`)(41);
  const hasSessions = sessionOf('self') !== '';

  it('lowers its priority with all of its threads', async () => {
    const { pid } = start([background]);
    await expectSoon(
      () => nicenesses(pid).length > 1 && nicenesses(pid).every((niceness) => niceness === 10),
      'the lower priority',
    );
  });

  it('lets a thread run only while nobody else wants its core', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/idleThread.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [thread] = (await once(child.stdout, 'data')) as [Buffer];
    expect(policyOf(child.pid, thread.toString().trim())).toBe(SCHED_IDLE);
    expect(policyOf(child.pid, String(child.pid))).toBe(0);
  });

  (hasSessions ? it : it.skip)('lowers the priority of the session that it leads', async () => {
    const { pid } = start([background], { detached: true });
    await expectSoon(() => sessionOf(pid).endsWith(' nice 10'), 'the lower priority of its session');
  });

  (hasSessions ? it : it.skip)('raises the priority of a session only if it may', () => {
    const { pid } = start(['-e', 'setInterval(() => {}, 1000)'], { detached: true });
    raiseSessionPriority(pid);
    expect(sessionOf(pid)).toMatch(mayRaiseSessions() ? / nice -10$/ : / nice 0$/);
  });

  (hasSessions ? it : it.skip)('does not change the session of whoever started it', async () => {
    const before = sessionOf(process.pid);
    const { pid } = start([background]);
    await expectSoon(() => getPriority(pid) === 10, 'the lower priority');
    expect(sessionOf(pid)).toBe(before);
  });
});
