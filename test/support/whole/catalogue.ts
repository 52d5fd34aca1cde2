/** Small items of several kinds for whole stacks, with their media on a host that belongs to the test. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { askBroker } from '../servers/brokerClient.ts';
import type { ItemBody } from './client.ts';

const run = promisify(execFile);

export interface Catalogue {
  /** PNG, 320 × 240. */
  image: Buffer;
  /** MP4 of six seconds with a tone and English subtitles. */
  video: Buffer;
  /** MP4 of three seconds without sound and subtitles. */
  silent: Buffer;
  /** MP4 of 40 minutes, one tiny frame a second. */
  long: Buffer;
}

const SUBTITLES =
  '1\n00:00:00,500 --> 00:00:02,500\nThe lighthouse keeper counts the ships.\n\n2\n00:00:03,000 --> 00:00:05,500\nTonight there are seven of them.\n';
type Command = [file: string, command: string];
const COMMANDS: Record<keyof Catalogue, Command> = {
  image: ['image.png', '-f lavfi -i testsrc2=size=320x240 -frames:v 1'],
  video: [
    'video.mp4',
    '-f lavfi -i testsrc2=size=320x240:rate=10:d=6 -f lavfi -i sine=frequency=330:d=6 -i words.srt -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -c:s mov_text',
  ],
  silent: [
    'silent.mp4',
    '-f lavfi -i testsrc2=size=320x240:rate=10:d=3 -c:v libx264 -preset ultrafast -pix_fmt yuv420p',
  ],
  long: ['long.mp4', '-f lavfi -i testsrc=size=64x48:rate=1:d=2400 -c:v libx264 -preset ultrafast -pix_fmt yuv420p'],
};

/** @param ffmpegPath needed outside of Jest, where no broker encodes the files once a run */
export async function makeCatalogue(ffmpegPath?: string): Promise<Catalogue> {
  if (ffmpegPath === undefined) return readCatalogue((await askBroker<{ dir: string }>('/catalogue')).dir);
  const folder = await mkdtemp(join(tmpdir(), 'attune-catalogue-'));
  try {
    await encodeCatalogue(ffmpegPath, folder);
    return await readCatalogue(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the files of a catalogue, for makeCatalogue and the broker. */
export async function encodeCatalogue(ffmpegPath: string, folder: string): Promise<void> {
  await writeFile(join(folder, 'words.srt'), SUBTITLES);
  for (const [file, command] of Object.values(COMMANDS)) {
    await run(ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...command.split(' '), file], { cwd: folder });
  }
}

async function readCatalogue(folder: string): Promise<Catalogue> {
  const read = ([file]: Command): Promise<Buffer> => readFile(join(folder, file));
  const { image, video, silent, long } = COMMANDS;
  return { image: await read(image), video: await read(video), silent: await read(silent), long: await read(long) };
}

/** Present in every body, and never allowed in a log or a history. */
export const BODY_MARK = 'qvxzpt-in-the-body';

export function textBody(n: number | string): ItemBody {
  return {
    type: 'text',
    title: `Note ${n}`,
    body: `The harbour of Eastport opened in 1874 (${BODY_MARK}, ${n}). Ships of four lines call there every week. Its lighthouse is 32 metres high.`,
  };
}

export function mediaBody(kind: 'image' | 'video', url: string): ItemBody {
  return {
    type: kind,
    title: `A ${kind} of the harbour`,
    description: `Seen from the pier (${BODY_MARK}).`,
    media: [{ kind, url }],
  };
}
