/** The external programs of the samples' generator. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Tools {
  ffmpeg(args: readonly string[]): Promise<void>;
  /** Speaks Russian text into a WAV file. */
  speak(text: string, wavPath: string): Promise<void>;
}

/** @param env `FFMPEG_PATH` and `ESPEAK_PATH`; without them the programs are looked up on PATH. */
export function findTools(env: Record<string, string | undefined>): Tools {
  const ffmpeg = env.FFMPEG_PATH ?? 'ffmpeg';
  const espeak = env.ESPEAK_PATH ?? 'espeak-ng';
  return {
    // bitexact and no metadata: a second run writes the same bytes, without a creation time.
    ffmpeg: async (args) =>
      void (await run(ffmpeg, [
        '-nostdin',
        '-y',
        '-loglevel',
        'error',
        ...args.slice(0, -1),
        '-map_metadata',
        '-1',
        '-fflags',
        '+bitexact',
        '-flags',
        '+bitexact',
        ...args.slice(-1),
      ])),
    speak: async (text, wavPath) => void (await run(espeak, ['-v', 'ru', '-s', '150', '-g', '4', '-w', wavPath, text])),
  };
}
