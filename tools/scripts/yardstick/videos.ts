/**
 * Videos of the yardstick, generated from its pictures with subtitles and a tone, so that no video has to be stored.
 */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sample } from './samples.ts';

const run = promisify(execFile);

export type VideoScript = NonNullable<Sample['video']>;

/** Folder of the scenes' pictures, relative to that of the videos. */
const PICTURES = '../pictures';
const SIZE = 'scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:-1:-1:color=black,setsar=1,fps=25';

/** Writes an MP4 of 720p with static scenes, one after another. */
export async function makeVideo(ffmpeg: string, folder: string, script: VideoScript, path: string): Promise<void> {
  const { scenes, subtitles = [] } = script;
  const inputs = scenes.flatMap(({ picture, seconds }) => [
    '-loop',
    '1',
    '-t',
    String(seconds),
    '-i',
    join(folder, PICTURES, picture),
  ]);
  const parts = scenes.map((_, at) => `[${at}]${SIZE}[s${at}]`).join(';');
  const joined = `${parts};${scenes.map((_, at) => `[s${at}]`).join('')}concat=n=${scenes.length}:v=1:a=0,format=yuv420p[v]`;
  const length = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const tone = ['-f', 'lavfi', '-t', String(length), '-i', 'sine=frequency=220:sample_rate=16000'];
  const cues = `${path}.srt`;
  if (subtitles.length > 0) await writeFile(cues, subtitles.map(cue).join('\n'));
  const spoken = subtitles.length > 0 ? ['-i', cues] : [];
  const text = subtitles.length > 0 ? ['-map', `${scenes.length + 1}:s`, '-c:s', 'mov_text'] : [];
  const video = ['-map', '[v]', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '23'];
  const sound = ['-map', `${scenes.length}:a`, '-c:a', 'aac'];
  await run(ffmpeg, [
    '-nostdin',
    '-v',
    'error',
    ...inputs,
    ...tone,
    ...spoken,
    '-filter_complex',
    joined,
    ...video,
    ...sound,
    ...text,
    '-y',
    path,
  ]);
  await rm(cues, { force: true });
}

function cue({ start, end, text }: { start: number; end: number; text: string }, index: number): string {
  return `${index + 1}\n${clock(start)} --> ${clock(end)}\n${text}\n`;
}

/** Formats a time as SubRip does: `00:00:02,500`. */
function clock(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(11, 23).replace('.', ',');
}
