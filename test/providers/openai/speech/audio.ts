/** Recordings for tests: sound is a tone, silence is digital silence. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A generator of `sound`, `loud` sound, `silence` or `noise`, or the path of a file that lasts at least that long. */
export type Part = [kind: string, seconds: number];

const SOURCES: Readonly<Record<string, string>> = {
  sound: 'sine=frequency=300:sample_rate=16000',
  loud: 'sine=frequency=300:sample_rate=16000,volume=4',
  silence: 'anullsrc=r=16000:cl=mono',
  noise: 'anoisesrc=color=pink:amplitude=0.1:seed=1:sample_rate=16000',
};

/** Writes mono 16 kHz FLAC of the given parts, each a kind and its seconds. */
export async function makeAudio(ffmpegPath: string, path: string, parts: Part[]): Promise<void> {
  const inputs = parts.flatMap(([kind, seconds]) => {
    const source = SOURCES[kind];
    return ['-t', String(seconds), ...(source === undefined ? ['-i', kind] : ['-f', 'lavfi', '-i', source])];
  });
  const even = parts.map(
    (_, index) => `[${index}]aresample=16000,aformat=sample_fmts=s16:channel_layouts=mono[p${index}]`,
  );
  const joined = `${even.join(';')};${parts.map((_, index) => `[p${index}]`).join('')}concat=n=${parts.length}:v=0:a=1[out]`;
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
