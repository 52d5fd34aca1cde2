/** Creates small media in a folder that belongs to the test, and finds what a decoder leaves behind. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync, crc32 } from 'node:zlib';
import { analyseMedium } from '../../../activities/media/analyseMedium.ts';
import type { AnalyseOptions, MediumKind, PreparedMedium } from '../../../activities/media/medium/preparedMedium.ts';
import { ffmpegPath } from '../../support/programs/ffmpeg.ts';

const run = promisify(execFile);

export interface Workshop {
  dir: string;
  ffmpeg: string;
  path: (name: string) => string;
  /** Runs ffmpeg in the folder; arguments are split at spaces. */
  make: (command: string) => Promise<void>;
  write: (name: string, data: string | Uint8Array) => Promise<string>;
  /** Analyses a file of the folder into a new outDir. */
  analyse: (
    name: string,
    kind: MediumKind,
    options?: Partial<AnalyseOptions>,
  ) => Promise<PreparedMedium & { outDir: string }>;
  /** Creates an empty folder. */
  outDir: () => Promise<string>;
  /** Lists command lines of running processes that name this folder. */
  processes: () => Promise<string[]>;
  close: () => Promise<void>;
}

export async function openWorkshop(): Promise<Workshop> {
  const dir = await mkdtemp(join(tmpdir(), 'attune-media-'));
  const ffmpeg = await ffmpegPath();
  let count = 0;
  const outDir = async () => {
    const made = join(dir, `out-${count++}`);
    await mkdir(made);
    return made;
  };
  return {
    dir,
    ffmpeg,
    outDir,
    path: (name) => join(dir, name),
    make: async (command) => {
      await run(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...command.split(' ')], { cwd: dir });
    },
    write: async (name, data) => {
      await writeFile(join(dir, name), data);
      return join(dir, name);
    },
    analyse: async (name, kind, options = {}) => {
      const target = options.outDir ?? (await outDir());
      return {
        ...(await analyseMedium({ path: join(dir, name), kind, ffmpegPath: ffmpeg, ...options, outDir: target })),
        outDir: target,
      };
    },
    processes: () => processesNaming(dir),
    close: () => rm(dir, { recursive: true, force: true }),
  };
}

/** Lists command lines of running processes that contain a word. */
export async function processesNaming(word: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(word));
}

/** Returns the seconds of sound in a FLAC file and its format, as ffmpeg reads them. */
export async function describeAudio(workshop: Workshop, path: string): Promise<{ seconds: number; line: string }> {
  const { stderr } = await run(workshop.ffmpeg, ['-hide_banner', '-nostdin', '-i', path, '-f', 'null', '-']);
  const [, h, m, s] = /time=(\d+):(\d+):(\d+\.\d+)(?![\s\S]*time=)/.exec(stderr) ?? [];
  return { seconds: Number(h) * 3600 + Number(m) * 60 + Number(s), line: /Audio: .*/.exec(stderr)?.[0] ?? '' };
}

/** Returns a PNG whose header claims more pixels than may be decoded. */
export function bombPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const GLYPH = { columns: 5, rows: 7, scale: 5 };

/**
 * Returns a white 1280 × 720 slide with lines of text as a PGM file: each character is a dot pattern derived from
 * its code, so no font is needed.
 */
export function slidePgm(lines: readonly string[]): Buffer {
  const width = 1280;
  const pixels = Buffer.alloc(width * 720, 255);
  for (const [row, line] of lines.entries()) {
    for (const [column, character] of [...line].entries()) {
      drawGlyph(pixels, width, character.charCodeAt(0), 60 + column * 32, 80 + row * 60);
    }
  }
  return Buffer.concat([Buffer.from(`P5 ${width} 720 255\n`), pixels]);
}

function drawGlyph(pixels: Buffer, width: number, code: number, left: number, top: number): void {
  if (code === 32) return;
  const { columns, rows, scale } = GLYPH;
  for (let y = 0; y < rows * scale; y++) {
    for (let x = 0; x < columns * scale; x++) {
      const dot = Math.floor(y / scale) * columns + Math.floor(x / scale);
      const ink = (Math.imul(code * 37 + dot * 101, 0x9e3779b1) >>> 28) & 1;
      if (ink === 1) pixels[(top + y) * width + left + x] = 20;
    }
  }
}
