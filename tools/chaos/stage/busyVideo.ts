/** A video that keeps a decoder busy long enough to be observed. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Makes a silent MP4 of 50 seconds, which takes a decoder more than a second. Only two seconds are encoded; they are
 * repeated without re-encoding.
 */
export async function makeBusyVideo(ffmpegPath: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-busy-'));
  const ffmpeg = (args: string) => run(ffmpegPath, `-v error -nostdin -y ${args}`.split(' '), { cwd: folder });
  try {
    await ffmpeg(
      '-f lavfi -i testsrc2=size=1280x720:rate=25:d=2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p short.mp4',
    );
    await ffmpeg('-stream_loop 24 -i short.mp4 -c copy busy.mp4');
    return await readFile(join(folder, 'busy.mp4'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
