/** Recordings for tests: sound is a tone, silence is digital silence. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Writes mono 16 kHz FLAC of the given parts, each a kind and its seconds. */
export async function makeAudio(
  ffmpegPath: string,
  path: string,
  parts: ['sound' | 'silence', number][],
): Promise<void> {
  const inputs = parts.flatMap(([kind, seconds]) => {
    const source =
      kind === 'sound'
        ? `sine=frequency=300:sample_rate=16000:duration=${seconds}`
        : `anullsrc=r=16000:cl=mono:d=${seconds}`;
    return ['-f', 'lavfi', '-i', source];
  });
  const joined = `${parts.map((_, index) => `[${index}]`).join('')}concat=n=${parts.length}:v=0:a=1[out]`;
  const output = [
    '-filter_complex',
    joined,
    '-map',
    '[out]',
    '-ac',
    '1',
    '-ar',
    '16000',
    '-sample_fmt',
    's16',
    '-y',
    path,
  ];
  await run(ffmpegPath, ['-nostdin', '-v', 'error', ...inputs, ...output]);
}
