/** Measures the overhead of preparing a medium compared with the bare decoder, in time and memory. */
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { analyseMedium } from '../../../activities/media/analyseMedium.ts';
import type { Receiver } from '../support/receiver.ts';
import { percentile, type Figure } from '../support/report.ts';
import type { BenchStack } from '../support/stack.ts';

const run = promisify(execFile);
const PAIRS = 5;
const MIB = 1024 * 1024;
const LARGE_BYTES = 1024 * MIB;

const SIZES = [
  ['360p', '640x360'],
  ['720p', '1280x720'],
  ['1080p', '1920x1080'],
] as const;

/** Makes 60 s with a cut every 4 s, moving pictures and a tone. */
async function makeMinute(ffmpeg: string, size: string, path: string): Promise<void> {
  const source = `testsrc2=size=${size}:rate=25,hue=h=90*floor(t/4)`;
  await run(ffmpeg, [
    '-nostdin',
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    source,
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=330:sample_rate=44100',
    '-t',
    '60',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    path,
  ]);
}

/** Makes an ffmpeg that records its arguments, so that the very same commands can be run bare. */
async function makeRecorder(
  ffmpeg: string,
  folder: string,
): Promise<{ path: string; calls: () => Promise<string[][]> }> {
  const path = join(folder, 'ffmpeg-recorder');
  const log = join(folder, 'calls');
  await writeFile(
    path,
    `#!/bin/sh\n{ for word in "$@"; do printf '%s\\0' "$word"; done; printf '\\n'; } >> '${log}'\nexec '${ffmpeg}' "$@"\n`,
  );
  await chmod(path, 0o755);
  return {
    path,
    calls: async () =>
      (await readFile(log, 'utf8'))
        .split('\0\n')
        .filter((line) => line !== '')
        .map((line) => line.split('\0')),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs the decoder with the product's own arguments and nothing else. */
async function runBare(ffmpeg: string, calls: readonly string[][], folder: string): Promise<void> {
  for (const args of calls) {
    await new Promise<void>((resolve, reject) => {
      spawn(ffmpeg, args, { cwd: folder, stdio: 'ignore' })
        .once('error', reject)
        .once('exit', () => resolve());
    });
  }
}

/** @param ffmpeg absolute path */
export async function measurePrepare(ffmpeg: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, size] of SIZES) figures.push(...(await measureSize(ffmpeg, name, size)));
  return figures;
}

async function measureSize(ffmpeg: string, name: string, size: string): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-bench-media-'));
  try {
    const video = join(folder, 'minute.mp4');
    await makeMinute(ffmpeg, size, video);
    const prepare = async (ffmpegPath: string, outDir: string): Promise<void> => {
      await mkdir(outDir);
      await analyseMedium({ path: video, kind: 'video', outDir, ffmpegPath });
    };
    const recorder = await makeRecorder(ffmpeg, folder);
    await prepare(recorder.path, join(folder, 'recorded'));
    // A probe opens the file without an output; the comparison uses the command that makes frames and sound.
    const extraction = (await recorder.calls()).filter((args) => args.includes('image2'));
    if (extraction.length === 0) throw new Error('prepare ran no extraction');

    const ratios: number[] = [];
    const bareTimes: number[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const bareDir = join(folder, `bare-${pair}`);
      await mkdir(bareDir);
      const bare = await timed(() => runBare(ffmpeg, extraction, bareDir));
      if ((await readdir(bareDir)).length === 0) throw new Error('the bare command wrote nothing');
      const whole = await timed(() => prepare(ffmpeg, join(folder, `whole-${pair}`)));
      ratios.push(whole / bare);
      bareTimes.push(bare);
    }
    return [
      {
        name: `prepare of 60 s ${name}, divided by the bare ffmpeg command (median of pairs)`,
        value: percentile(ratios, 50),
        unit: 'x',
        aim: '<= 1.1',
      },
      { name: `the bare ffmpeg command, 60 s ${name}`, value: percentile(bareTimes, 50), unit: 'ms', aim: null },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a video of at least 1 GiB from noise that compresses badly, so that every byte is decoded. */
async function makeLarge(ffmpeg: string, path: string): Promise<void> {
  for (let seconds = 30; ; seconds *= 2) {
    await run(ffmpeg, [
      '-nostdin',
      '-y',
      '-loglevel',
      'error',
      '-f',
      'lavfi',
      '-i',
      'nullsrc=size=1280x720:rate=25,geq=random(1)*255:128:128',
      '-t',
      '2',
      '-c:v',
      'mpeg4',
      '-q:v',
      '1',
      '-f',
      'avi',
      `${path}.part.avi`,
    ]);
    // The short noise is repeated without being encoded again.
    await run(ffmpeg, [
      '-nostdin',
      '-y',
      '-loglevel',
      'error',
      '-stream_loop',
      String(seconds),
      '-i',
      `${path}.part.avi`,
      '-c',
      'copy',
      '-fs',
      String(LARGE_BYTES + 8 * MIB),
      path,
    ]);
    if ((await stat(path)).size >= LARGE_BYTES) return;
  }
}

/** Returns the memory of a process and of the decoders that it started, in bytes. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const own = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''))
    .split(' ')
    .filter((child) => child !== '');
  const below = await Promise.all(children.map((child) => residentBytes(Number(child))));
  return own + below.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Measures the peak memory of the media worker and its ffmpeg while it prepares the large video, above the idle level.
 */
export async function measureMemory(stack: BenchStack, receiver: Receiver, ffmpeg: string): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-bench-large-'));
  try {
    const video = join(folder, 'large.mp4');
    await makeLarge(ffmpeg, video);
    receiver.serve('large.mp4', video);
    const pid = stack.pids['media'];
    if (pid === undefined) throw new Error('the stack names no process `media`');
    const idle = await residentBytes(pid);
    let peak = idle;
    const done = new AbortController();
    const sampling = (async () => {
      while (!done.signal.aborted) {
        peak = Math.max(peak, await residentBytes(pid));
        await delay(50);
      }
    })();
    const received = receiver.whenReceived('large', 1);
    const response = await fetch(`${stack.contentUrl}/items/large`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${stack.project.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        type: 'video',
        title: 'Large',
        media: [{ kind: 'video', url: `${receiver.url}/large.mp4` }],
      }),
    });
    if (!response.ok) throw new Error(`PUT answered ${response.status}`);
    await received;
    done.abort();
    await sampling;
    await requirePrepared(stack);
    return [
      {
        name: 'media worker and its ffmpeg, peak above idle, 1 GiB video',
        value: (peak - idle) / MIB,
        unit: 'MiB',
        aim: '< 400',
      },
      { name: 'media worker, idle', value: idle / MIB, unit: 'MiB', aim: null },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Checks that the video was not refused, because the figure would then be wrong. */
async function requirePrepared(stack: BenchStack): Promise<void> {
  const response = await fetch(`${stack.contentUrl}/items/large`, {
    headers: { authorization: `Bearer ${stack.project.key}` },
  });
  const item = (await response.json()) as { processing: { prepare: string }; processing_errors?: object };
  if (item.processing.prepare !== 'done')
    throw new Error(`the large video was not prepared: ${JSON.stringify(item.processing_errors)}`);
}
