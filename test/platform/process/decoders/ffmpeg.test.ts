import { spawn } from 'node:child_process';
import { chmod, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decoderPrefix } from '../../../../platform/process/decoders/decoderPrefix.ts';
import { runFfmpeg } from '../../../../platform/process/decoders/ffmpeg.ts';
import { openWorkshop, type Workshop } from '../../../activities/media/samples.ts';
import { HANG_MS } from '../../../support/eventually.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
  await workshop.make(
    '-f lavfi -i testsrc2=s=1920x1080:r=30:d=2 -f lavfi -i sine=d=2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac short.mkv',
  );
  await workshop.make('-stream_loop 150 -i short.mkv -c copy slow.mkv');
});
afterAll(() => workshop.close());

/** Resolves when the condition holds; the test's own timeout ends an endless wait. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()))
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
}

/** Writes a script that replaces ffmpeg. */
async function program(name: string, body: string): Promise<string> {
  const path = await workshop.write(name, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

/** Returns true for a process that is gone, or that only waits for its parent to notice its end. */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat === null || /\) [ZX] /.test(stat);
}

const command = (args: string[]) => ({
  ffmpegPath: workshop.ffmpeg,
  args,
  cwd: workshop.dir,
  timeoutMs: HANG_MS,
  threads: 1,
  signal: new AbortController().signal,
});

describe('runFfmpeg', () => {
  it('returns the exit code and the text of standard error', async () => {
    const result = await runFfmpeg(command(['-i', 'file:missing.mp4']));
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr).toMatch(/missing\.mp4/);
  });

  it('reports a full disk, whatever the exit code and the other output', async () => {
    const ffmpegPath = await program(
      'full',
      `echo '[out#0/flac] Error writing trailer: No space left on device' >&2\nyes words | head -n 60000 >&2\nexit 0`,
    );
    await expect(runFfmpeg({ ...command([]), ffmpegPath })).rejects.toMatchObject({
      name: 'FfmpegError',
      kind: 'storage_full',
    });
  });

  it('keeps standard error bounded', async () => {
    const result = await runFfmpeg(
      command(['-loglevel', 'trace', '-f', 'lavfi', '-i', 'testsrc2=s=16x16:d=60', '-f', 'null', '-']),
    );
    expect(result.exitCode).toBe(0);
    expect(result.stderr.length).toBeLessThanOrEqual(2 * 128 * 1024);
  });

  it('reports a program whose trial was killed as untried, and tries it again in the next run', async () => {
    const ffmpegPath = await program('killed', 'kill -KILL $$; exit 1');
    const access = { reads: [], writes: [] };
    await expect(runFfmpeg({ ...command([]), ffmpegPath, access })).rejects.toMatchObject({ kind: 'untried' });
    await program('killed', 'exit 0');
    expect(await runFfmpeg({ ...command([]), ffmpegPath, access })).toMatchObject({ exitCode: 0 });
  });

  it('warns once where nothing confines the program', async () => {
    const network = await readlink('/proc/self/ns/net');
    const isBare = `[ "$(readlink /proc/self/ns/net)" = '${network}' ] && cat '${import.meta.filename}' > /dev/null`;
    const run = { ...command([]), ffmpegPath: await program('bare', isBare), access: { reads: [], writes: [] } };
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    try {
      for (const _ of ['first', 'second']) expect(await runFfmpeg(run)).toMatchObject({ exitCode: 0 });
      await setImmediate();
      expect(warnings).toEqual([expect.stringContaining('runs unconfined')]);
    } finally {
      process.off('warning', note);
    }
  });

  it('reports a missing program as a fault of this machine', async () => {
    await expect(runFfmpeg({ ...command([]), ffmpegPath: '/nowhere/ffmpeg' })).rejects.toMatchObject({
      name: 'FfmpegError',
      kind: 'unavailable',
    });
  });

  it('ends at its time limit', async () => {
    await expect(runFfmpeg({ ...command(['-i', 'slow.mkv', '-f', 'null', '-']), timeoutMs: 50 })).rejects.toMatchObject(
      { name: 'FfmpegError', kind: 'timeout' },
    );
    expect(await workshop.processes()).toEqual([]);
  });

  it('returns every line of either stream, including an unfinished last one', async () => {
    const ffmpegPath = await program('talker', 'printf "a\\nb"; printf "c\\rd\\n\\ne" >&2');
    const lines: Record<'out' | 'error', string[]> = { out: [], error: [] };
    await runFfmpeg({
      ...command([]),
      ffmpegPath,
      onLine: (line) => lines.out.push(line),
      onErrorLine: (line) => lines.error.push(line),
    });
    expect(lines).toEqual({ out: ['a', 'b'], error: ['c', 'd', '', 'e'] });
  });

  it('passes the arguments untouched by a shell, and no standard input', async () => {
    const lines: string[] = [];
    const ffmpegPath = await program('echo', 'for argument in "$@"; do echo "$argument"; done; cat');
    await runFfmpeg({ ...command(['a b', '$(id)', '; ls']), ffmpegPath, onLine: (line) => lines.push(line) });
    expect(lines[0]).toBe('-nostdin');
    expect(lines.slice(-3)).toEqual(['a b', '$(id)', '; ls']);
  });

  it('hides our environment from the program', async () => {
    const lines: string[] = [];
    process.env['SECRET_KEY'] = 'a secret of this process';
    try {
      await runFfmpeg({
        ...command([]),
        ffmpegPath: await program('environment', 'env'),
        onLine: (line) => lines.push(line),
      });
    } finally {
      delete process.env['SECRET_KEY'];
    }
    // PWD and the like come from the shell.
    const names = lines
      .map((line) => line.split('=')[0])
      .filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name ?? ''));
    expect(names.toSorted()).toEqual(['AV_LOG_FORCE_NOCOLOR', 'LC_ALL', 'PATH']);
  });

  it('confines the program to the files that it is given', async () => {
    const access = { reads: [workshop.path('short.mkv')], writes: [workshop.dir] };
    const output = ['-i', workshop.path('short.mkv'), '-frames:v', '1', workshop.path('confined.png')];
    expect(await runFfmpeg({ ...command(output), access })).toMatchObject({ exitCode: 0 });
    expect(await readdir(workshop.dir)).toContain('confined.png');
  });

  it('does not start after an abort', async () => {
    await expect(
      runFfmpeg({ ...command(['-i', 'slow.mkv']), signal: AbortSignal.abort(new Error('stop')) }),
    ).rejects.toThrow('stop');
  });

  it('also ends the processes that the program has started when it is aborted', async () => {
    const ffmpegPath = await program('parent', 'sleep 600 > /dev/null 2>&1 &\necho $! > child.pid\nwait');
    const abort = new AbortController();
    const result = runFfmpeg({ ...command([]), ffmpegPath, signal: abort.signal });
    const pidFile = workshop.path('child.pid');
    await until(async () => (await readFile(pidFile, 'utf8').catch(() => '')).endsWith('\n'));
    const child = Number(await readFile(pidFile, 'utf8'));
    abort.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
    await until(() => hasEnded(child));
  });

  it('is also limited in CPU time, in case nobody is left to end it', async () => {
    const { killedBy, stderr } = await runFfmpeg(command(['-timelimit', '1', '-i', 'slow.mkv', '-f', 'null', '-']));
    expect(killedBy ?? stderr).toMatch(/^SIGKILL$|received signal 24/); // builds differ in whether SIGXCPU is caught
  });
});

describe('an abort in the middle of an analysis', () => {
  it('leaves no process and no file, and throws the reason', async () => {
    const outDir = await workshop.outDir();
    const controller = new AbortController();
    let seen: string[] = [];
    const analysis = workshop.analyse('slow.mkv', 'video', {
      outDir,
      signal: controller.signal,
      onProgress: ({ stage, doneSec }) => {
        if (stage !== 'decode' || (doneSec ?? 0) === 0 || seen.length > 0) return;
        seen = ['pending'];
        void workshop.processes().then((lines) => {
          seen = lines;
          controller.abort(new Error('cancelled'));
        });
      },
    });
    await expect(analysis).rejects.toThrow('cancelled');
    expect(seen.join()).toContain('slow.mkv');
    expect(await workshop.processes()).toEqual([]);
    expect(await readdir(outDir)).toEqual([]);
  });
});

describe('a worker killed by SIGKILL', () => {
  it('takes its decoders with it', async () => {
    if ((await decoderPrefix()).length === 0) return; // without setpriv only the CPU limit above applies
    const module = new URL('../../../../activities/media/analyseMedium.ts', import.meta.url).href;
    const options = JSON.stringify({
      path: workshop.path('slow.mkv'),
      kind: 'video',
      outDir: await workshop.outDir(),
      ffmpegPath: workshop.ffmpeg,
    });
    const script = `import { analyseMedium } from ${JSON.stringify(module)}; await analyseMedium(${options});`;
    const worker = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: 'ignore',
      cwd: join(import.meta.dirname, '../../../..'),
    });
    const decoders = async () =>
      (await workshop.processes()).filter((line) => line.includes('audio.flac') && !line.includes('analyseMedium'));
    try {
      await until(async () => (await decoders()).length > 0 || worker.exitCode !== null);
      expect(worker.exitCode).toBeNull();
    } finally {
      worker.kill('SIGKILL');
    }
    // The worker itself and each of its decoders need a moment to end.
    await until(async () => (await workshop.processes()).length === 0);
    expect(await decoders()).toEqual([]);
  });
});
