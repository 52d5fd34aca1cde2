/** ops/backup.sh, when it is ended early: the jobs that it pauses run again in any case. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bareEnv } from '../support/programs/bareEnv.ts';
import { ROOT } from './support/compose.ts';

const run = promisify(execFile);
const SCHEDULES = ['lake-merge', 'lake-retention', 'visitor-deletions'];

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-backup-'));
  await mkdir(join(folder, 'bin'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the backup with a stand-in for docker that notes its calls and answers in the given way. */
async function backup(answer: string): Promise<string[]> {
  const calls = join(folder, 'calls');
  const text = `#!/bin/sh\necho "$*" >>'${calls}'\ncase "$*" in\n'compose config') echo 'name: attune' ;;\n${answer}\nesac\n`;
  await writeFile(join(folder, 'bin/docker'), text, { mode: 0o755 });
  const env = { ...bareEnv(), PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter) };
  await expect(run(join(ROOT, 'ops/backup.sh'), [join(folder, 'backup')], { env, cwd: folder })).rejects.toThrow(
    'Command failed',
  );
  return (await readFile(calls, 'utf8')).split('\n').filter(Boolean);
}

function unpaused(calls: readonly string[]): string[] {
  return SCHEDULES.filter((id) => calls.some((call) => call.includes(`--schedule-id ${id} --unpause`)));
}

describe('a backup that is interrupted', () => {
  it.each(['HUP', 'INT', 'TERM'])('by SIG%s unpauses the jobs', async (signal) => {
    const calls = await backup(`*pg_dump*) kill -${signal} "$PPID" ;;`);
    expect(calls.filter((call) => call.includes('--pause'))).toHaveLength(SCHEDULES.length);
    expect(unpaused(calls)).toEqual(SCHEDULES);
    expect(calls.some((call) => call.includes('backup note'))).toBe(false);
  });

  it.each(['HUP', 'INT', 'TERM'])('by SIG%s again while it unpauses the jobs goes on with them', async (signal) => {
    const calls = await backup(`*pg_dump* | *lake-merge*--unpause*) kill -${signal} "$PPID" ;;`);
    expect(unpaused(calls)).toEqual(SCHEDULES);
  });

  it('also stops docker itself: what that did not do is done once more', async () => {
    const answer = `*pg_dump*) kill -INT "$PPID" ;;\n*lake-retention*--unpause*) mkdir stopped 2>&- && exit 130 ;;`;
    const calls = await backup(answer);
    expect(calls.filter((call) => call.includes('--schedule-id lake-retention --unpause'))).toHaveLength(2);
    expect(unpaused(calls)).toEqual(SCHEDULES);
  });

  it('by a failed command unpauses all jobs that it can', async () => {
    const calls = await backup(`*pg_dump* | *lake-merge*--unpause*) exit 1 ;;`);
    expect(unpaused(calls)).toEqual(SCHEDULES);
  });
});
