/** Media are decoded by a process that cannot reach anything that belongs to the worker. */
import { spawn } from 'node:child_process';
import { chmod, copyFile, link, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDecoder, type DecodeMedium } from '../../../activities/media/decoderProcess.ts';
import { confine, strongestLayers, type Layer } from '../../../platform/process/decoders/confinement.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { withFakeTime } from '../../support/jest/fakeTime.ts';
import { openWorkshop, processesNaming, type Workshop } from './samples.ts';

const logger = createLogger('test', 'silent');
const NEVER = new AbortController().signal;
/** The answer about a medium that holds nothing. */
const NOTHING = {
  durationSec: 1,
  width: null,
  height: null,
  truncated: false,
  audio: null,
  subtitles: null,
  chapters: null,
  frames: [],
  warnings: [],
};
let workshop: Workshop;
let workDir: string;
let decode: DecodeMedium;

beforeAll(async () => {
  workshop = await openWorkshop();
  workDir = await mkdtemp(join(tmpdir(), 'attune-decoder-'));
  await chmod(workDir, 0o755);
  decode = await createDecoder(workshop.ffmpeg, workDir, logger);
  await workshop.make(
    '-f lavfi -i testsrc2=s=1280x720:r=30:d=2 -f lavfi -i sine=d=2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac short.mkv',
  );
});
afterAll(async () => {
  await workshop.close();
  await rm(workDir, { recursive: true, force: true });
});

async function workFolder(name: string): Promise<{ path: string; outDir: string }> {
  const folder = await mkdtemp(join(workDir, 'medium-'));
  await copyFile(workshop.path(name), join(folder, 'medium'));
  await mkdir(join(folder, 'out'));
  return { path: join(folder, 'medium'), outDir: join(folder, 'out') };
}

/** Runs a shell script inside the layers, with a secret in this process's environment. */
async function confined(layers: readonly Layer[], script: string, folder = workDir): Promise<string> {
  const { prefix } = confine(layers, { reads: [], writes: [folder] });
  const [command = '', ...args] = [...prefix, '/bin/sh', '-c', script];
  const child = spawn(command, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('latin1')));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`ended with ${String(code)}`);
  return output;
}

/** Returns the sets of layers that work on this machine. */
async function workingSets(): Promise<(readonly Layer[])[]> {
  const working: (readonly Layer[])[] = [];
  await strongestLayers(async (layers) => {
    await confined(layers, 'true', tmpdir()).then(
      () => working.push(layers),
      () => undefined,
    );
    throw new Error('on to the next');
  });
  return working.filter((layers) => layers.length > 0);
}

// Where no layer works, or only `files`, there is nothing to prove: those tests are shown as skipped.
const sets = await workingSets();
const itWithSets = sets.length > 0 ? it : it.skip;
const itWithoutFiles = sets.some((layers) => !layers.includes('files')) ? it : it.skip;

describe('a confined decoder', () => {
  itWithSets('reads neither the environment nor the memory of its worker, whatever confines it', async () => {
    const target = `/proc/${process.pid}`;
    const look = `cat ${target}/environ; head -c 1 ${target}/mem; ls ${target}/fd; true`;
    for (const layers of sets) expect([layers, await confined(layers, look)]).toEqual([layers, '']);
  });

  itWithSets('has no network and, as another user, none of our files', async () => {
    const secret = join(workDir, 'secret');
    await writeFile(secret, 'secret', { mode: 0o600 });
    const seen = await Promise.all(
      sets.map(async (layers) => [
        layers.includes('namespaces') ? await confined(layers, 'cat /proc/net/route; true') : '',
        layers.includes('user') ? await confined(layers, `cat ${secret}; true`, '/nowhere') : '',
      ]),
    );
    expect(seen.flat().join('')).not.toMatch(/secret|eth|ens/);
  });

  it('gives the same result as a decoder in this process', async () => {
    const { path, outDir } = await workFolder('short.mkv');
    const stages = new Set<string>();
    const found = await decode({ path, kind: 'video', outDir, onProgress: ({ stage }) => stages.add(stage) });
    const { outDir: _ours, ...expected } = await workshop.analyse('short.mkv', 'video');
    expect(found).toEqual(expected);
    expect([...stages]).toEqual(['probe', 'decode', 'frames']);
    expect((await readdir(outDir)).sort()).toEqual([found.audio, ...found.frames.map(({ file }) => file)].sort());
  });

  it('does not work until its confinement has been tried', async () => {
    const place = join(workDir, 'later');
    await writeFile(place, 'a file where the folder has to be');
    const lines: string[] = [];
    const late = await createDecoder(
      workshop.ffmpeg,
      place,
      createLogger('test', 'info', { write: (line) => void lines.push(line) }),
    );
    const medium = { ...(await workFolder('short.mkv')), kind: 'video', signal: NEVER } as const;
    await expect(late(medium)).rejects.toMatchObject({ code: 'decoder_unavailable' });
    expect(lines.join('')).not.toContain('unconfined');
    await rm(place);
    await mkdir(place, { mode: 0o755 });
    await late(medium);
    expect(lines.at(-1)).toMatch(/decoders (are confined|run unconfined)/);
  });

  it('warns once where nothing limits the memory of ffmpeg, and works', async () => {
    const lines: string[] = [];
    const noting = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    const warnings = (): string[] => lines.filter((line) => line.includes('ffmpeg has no memory limit'));
    await createDecoder(workshop.ffmpeg, workDir, noting);
    expect(warnings()).toEqual([]);
    const unlimited = await createDecoder(workshop.ffmpeg, workDir, noting, { prlimit: join(workDir, 'missing') });
    for (const _ of ['first', 'second']) await unlimited({ ...(await workFolder('short.mkv')), kind: 'video' });
    expect(warnings()).toHaveLength(1);
    expect(JSON.parse(warnings()[0] ?? '')).toMatchObject({ level: 'warn' });
  });

  it('has ffmpeg named in the log when it is missing, and only then', async () => {
    const lines: string[] = [];
    const noting = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    const missing = join(workDir, 'no-ffmpeg');
    await createDecoder(workshop.ffmpeg, workDir, noting);
    expect(lines.join('')).not.toContain('FFMPEG_PATH');
    await createDecoder(missing, workDir, noting);
    const named = lines.find((line) => line.includes('FFMPEG_PATH')) ?? '';
    expect(JSON.parse(named)).toMatchObject({ level: 'warn', ffmpegPath: missing });
  });

  itWithoutFiles('is not confined less because a trial of its confinement took too long', async () => {
    // With the layer `files` this trial cannot even be read; with the other layers it hangs; without any it works.
    const hanging = await workshop.write(
      'hanging.ts',
      `import { readlinkSync } from 'node:fs';
       const isBare = readlinkSync('/proc/self/ns/net') === ${JSON.stringify(await readlink('/proc/self/ns/net'))} && process.getuid() === ${process.getuid?.()};
       if (isBare) console.log('{"works":true}');
       else setInterval(() => {}, 1000);`,
    );
    const lines: string[] = [];
    const undecided = await createDecoder(
      workshop.ffmpeg,
      workDir,
      createLogger('test', 'info', { write: (line) => void lines.push(line) }),
      { trial: { entry: hanging, timeoutMs: 2_000 } },
    );
    const medium = { ...(await workFolder('short.mkv')), kind: 'video', signal: NEVER } as const;
    await expect(undecided(medium)).rejects.toMatchObject({ code: 'decoder_unavailable', permanent: false });
    expect(lines.join('')).not.toContain('unconfined');
  });

  it('reports a bad medium by its code', async () => {
    await workshop.write('text.mp4', 'no medium at all');
    const { path, outDir } = await workFolder('text.mp4');
    await expect(decode({ path, kind: 'video', outDir })).rejects.toMatchObject({
      name: 'MediaError',
      code: 'unsupported_media',
      permanent: true,
    });
  });

  it('fails for good, and is ended, if a line of its answer does not end', async () => {
    const { path, outDir } = await workFolder('short.mkv');
    const entry = join(dirname(path), 'endless.mjs');
    // The answer, which comes after 80 MB without an end of line, must not be waited for.
    await writeFile(
      entry,
      `import { writeSync } from 'node:fs';
       const part = 'x'.repeat(1_000_000);
       for (let at = 0; at < 80; at += 1) writeSync(1, part);
       console.log(${JSON.stringify(`\n${JSON.stringify({ prepared: NOTHING })}`)});`,
    );
    const endless = await createDecoder(workshop.ffmpeg, workDir, logger, { entry });
    await expect(endless({ path, kind: 'video', outDir, signal: NEVER })).rejects.toMatchObject({
      code: 'decode_failed',
      permanent: true,
    });
  });

  describe('that reaches its time limit', () => {
    const PROGRESS = { progress: { stage: 'decode', doneSec: 1 } };

    /** Decodes with a program that gives replies, and ends neither by itself nor when it is told to. */
    const hang = async (replies: unknown[], timeoutMs: number) => {
      const { path, outDir } = await workFolder('short.mkv');
      const entry = join(dirname(path), 'hanging.mjs');
      await writeFile(
        entry,
        `console.log(${JSON.stringify(replies.map((one) => JSON.stringify(one)).join('\n'))});\nsetInterval(() => {}, 1000);`,
      );
      const hanging = await createDecoder(workshop.ffmpeg, workDir, logger, { entry, timeoutMs });
      return (onProgress?: () => void) =>
        hanging({ path, kind: 'video', outDir, signal: NEVER, ...(onProgress && { onProgress }) });
    };

    it('has done its work if it has given its answer', async () => {
      const work = await hang([PROGRESS, { prepared: NOTHING }], 5_000);
      await withFakeTime(['setTimeout', 'clearTimeout'], async (pass) => {
        const answered = Promise.withResolvers<void>(); // both replies come together
        const prepared = work(answered.resolve);
        await Promise.race([answered.promise, prepared]);
        await pass(5_000);
        await pass(2_000); // the time that it has to comply
        expect(await prepared).toEqual(NOTHING);
      });
    });

    it('fails for good without an answer', async () => {
      const work = await hang([PROGRESS], 100);
      await expect(work()).rejects.toMatchObject({ code: 'processing_timeout', permanent: true });
    });
  });

  it('ends everything that it started when it is cancelled', async () => {
    await workshop.make('-stream_loop 100 -i short.mkv -c copy slow.mkv');
    const { path, outDir } = await workFolder('slow.mkv');
    const controller = new AbortController();
    const onProgress = ({ stage }: { stage: string }) => {
      if (stage === 'decode') controller.abort(new Error('let go of'));
    };
    await expect(decode({ path, kind: 'video', outDir, signal: controller.signal, onProgress })).rejects.toThrow(
      'let go of',
    );
    // The kernel needs a moment to end the last of them; the test's own timeout ends an endless wait.
    while ((await processesNaming(dirname(path))).length > 0) await new Promise(setImmediate);
  });

  it.each(['symlink', 'hard link'])('cannot return a %s that points to one of our files', async (kind) => {
    const { path, outDir } = await workFolder('short.mkv');
    const secret = await workshop.write('secret.txt', 'secret');
    const impostor = await workshop.write(
      'impostor.ts',
      `console.log(${JSON.stringify(JSON.stringify({ prepared: { ...NOTHING, audio: 'audio.flac' } }))});`,
    );
    const forged = await createDecoder(workshop.ffmpeg, workDir, logger, { entry: impostor });
    await (kind === 'symlink' ? symlink : link)(secret, join(outDir, 'audio.flac'));
    await expect(forged({ path, kind: 'audio', outDir, signal: NEVER })).rejects.toMatchObject({
      code: 'decode_failed',
    });
  });
});
