import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runFfmpeg } from '../../../providers/openai/runFfmpeg.ts';
import { callContext, failureOf } from './support.ts';

let dir: string;
/** A program that says that it runs, and then never ends by itself. */
let endless: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'attune-ffmpeg-'));
  endless = await script('endless', 'echo "$$"; exec sleep 600');
});
afterAll(async () => {
  await rm(dir, { recursive: true });
});

async function script(name: string, body: string): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a run of ffmpeg', () => {
  it('ends with the signal, with its reason, and leaves no process', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    let pid = 0;
    const onStdout = (line: string): void => {
      pid = Number(line);
      controller.abort(reason);
    };
    await expect(runFfmpeg({ ffmpegPath: endless, args: [], timeoutMs: 60_000, context: callContext(controller.signal), onStdout })).rejects.toBe(reason);
    expect(pid).toBeGreaterThan(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('ends at its time limit', async () => {
    const failure = await failureOf(runFfmpeg({ ffmpegPath: endless, args: [], timeoutMs: 50, context: callContext() }));
    expect(failure).toMatchObject({ kind: 'retryable', code: 'audio_timeout' });
  });

  it('gets its arguments untouched by a shell, and no standard input', async () => {
    const echo = await script('echo', 'for argument in "$@"; do echo "$argument"; done; cat');
    const lines: string[] = [];
    await runFfmpeg({ ffmpegPath: echo, args: ['a b', '$(id)', '; ls'], timeoutMs: 10_000, context: callContext(), onStdout: (line) => lines.push(line) });
    expect(lines[0]).toBe('-nostdin');
    expect(lines.slice(-3)).toEqual(['a b', '$(id)', '; ls']);
  });
});
