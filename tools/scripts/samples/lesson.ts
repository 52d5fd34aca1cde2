/** The video sample: slides with a voice, and the same words as a subtitle stream. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawPng, escapeXml, svg } from './svg.ts';
import { LESSON, type Slide } from './texts.ts';
import type { Tools } from './tools.ts';

const WIDTH = 960;
const HEIGHT = 540;
const FRAME_RATE = 10;
const PAUSE_SECONDS = 0.5;
const COLOURS = ['#16324f', '#3d2645', '#1f4037', '#4a2c17'] as const;

interface Clip {
  video: string;
  seconds: number;
  phrases: { text: string; seconds: number }[];
}

/** Makes the MP4 at `path`: H.264, AAC and one mov_text stream. */
export async function makeLesson(tools: Tools, workDir: string, path: string): Promise<void> {
  const clips: Clip[] = [];
  for (const [index, slide] of LESSON.entries()) clips.push(await makeClip(tools, workDir, slide, index));
  const list = join(workDir, 'clips.txt');
  const subtitles = join(workDir, 'lesson.srt');
  await writeFile(list, clips.map((clip) => `file '${clip.video}'\n`).join(''));
  await writeFile(subtitles, toSrt(clips));
  await tools.ffmpeg([
    '-f',
    'concat',
    '-safe',
    '0',
    '-i',
    list,
    '-i',
    subtitles,
    '-map',
    '0:v',
    '-map',
    '0:a',
    '-map',
    '1:s',
    '-c:v',
    'libx264',
    '-preset',
    'slow',
    '-crf',
    '25',
    '-pix_fmt',
    'yuv420p',
    '-threads',
    '1',
    '-c:a',
    'aac',
    '-b:a',
    '48k',
    '-ac',
    '1',
    '-c:s',
    'mov_text',
    '-metadata:s:a:0',
    'language=rus',
    '-metadata:s:s:0',
    'language=rus',
    '-movflags',
    '+faststart',
    path,
  ]);
}

async function makeClip(tools: Tools, workDir: string, slide: Slide, index: number): Promise<Clip> {
  const picture = join(workDir, `slide${index}.png`);
  const sound = join(workDir, `slide${index}.wav`);
  const video = join(workDir, `slide${index}.mkv`);
  await drawPng(slideSvg(slide, index), picture);
  const phrases = await speakPhrases(tools, workDir, slide, index);
  await joinSounds(
    tools,
    phrases.map((phrase) => phrase.path),
    sound,
  );
  const seconds = phrases.reduce((sum, phrase) => sum + phrase.seconds, 0);
  await tools.ffmpeg([
    '-loop',
    '1',
    '-framerate',
    String(FRAME_RATE),
    '-i',
    picture,
    '-i',
    sound,
    '-t',
    seconds.toFixed(3),
    '-c:v',
    'libx264',
    '-qp',
    '0',
    '-preset',
    'ultrafast',
    '-c:a',
    'pcm_s16le',
    '-ar',
    '44100',
    video,
  ]);
  return { video, seconds, phrases };
}

async function speakPhrases(
  tools: Tools,
  workDir: string,
  slide: Slide,
  index: number,
): Promise<{ text: string; path: string; seconds: number }[]> {
  const phrases: { text: string; path: string; seconds: number }[] = [];
  for (const [number, text] of slide.narration.entries()) {
    const spoken = join(workDir, `spoken${index}-${number}.wav`);
    const path = join(workDir, `phrase${index}-${number}.wav`);
    await tools.speak(text, spoken);
    await tools.ffmpeg([
      '-i',
      spoken,
      '-af',
      `apad=pad_dur=${PAUSE_SECONDS}`,
      '-ar',
      '44100',
      '-ac',
      '1',
      '-c:a',
      'pcm_s16le',
      path,
    ]);
    phrases.push({ text, path, seconds: await wavSeconds(path) });
  }
  return phrases;
}

async function joinSounds(tools: Tools, paths: readonly string[], target: string): Promise<void> {
  const inputs = paths.flatMap((path) => ['-i', path]);
  await tools.ffmpeg([...inputs, '-filter_complex', `concat=n=${paths.length}:v=0:a=1`, '-c:a', 'pcm_s16le', target]);
}

/** Returns the length of 44.1 kHz mono 16-bit sound, from the size of its data chunk. */
async function wavSeconds(path: string): Promise<number> {
  const bytes = await readFile(path);
  const data = bytes.indexOf('data', 12, 'latin1');
  if (data < 0) throw new Error(`${path} has no data chunk`);
  return bytes.readUInt32LE(data + 4) / (44_100 * 2);
}

function toSrt(clips: readonly Clip[]): string {
  let at = 0;
  return clips
    .flatMap((clip) => clip.phrases)
    .map((phrase, index) => {
      const start = at;
      at += phrase.seconds;
      return `${index + 1}\n${srtTime(start)} --> ${srtTime(at - PAUSE_SECONDS / 2)}\n${phrase.text}\n`;
    })
    .join('\n');
}

function srtTime(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', ',');
}

function slideSvg(slide: Slide, index: number): string {
  const lines = slide.lines.map(
    (line, row) =>
      `<circle cx="92" cy="${243 + row * 70}" r="7" fill="#ffd873"/><text x="120" y="${255 + row * 70}" font-size="36" fill="#f4f1e6">${escapeXml(line)}</text>`,
  );
  return svg(
    WIDTH,
    HEIGHT,
    [
      `<rect width="100%" height="100%" fill="${COLOURS[index % COLOURS.length]}"/>`,
      `<g font-family="DejaVu Sans"><text x="80" y="135" font-size="58" font-weight="bold" fill="#ffffff">${escapeXml(slide.title)}</text>`,
      `<rect x="80" y="165" width="240" height="6" fill="#ffd873"/>${lines.join('')}</g>`,
      tramSvg(120 + index * 200),
    ].join(''),
  );
}

/** Draws a small tram on rails, further along on each slide. */
function tramSvg(x: number): string {
  const windows = [12, 42, 72]
    .map((left) => `<rect x="${left}" y="10" width="22" height="18" rx="3" fill="#bfe3ff"/>`)
    .join('');
  return [
    '<rect x="0" y="506" width="960" height="4" fill="#8b8f98"/><rect x="0" y="428" width="960" height="2" fill="#6d727c"/>',
    `<g transform="translate(${x} 452)"><path d="M40 0 L55 -22 L70 0" fill="none" stroke="#c9ccd3" stroke-width="3"/>`,
    `<rect width="108" height="46" rx="9" fill="#c8352f"/>${windows}<rect y="34" width="108" height="5" fill="#f4e3b2"/>`,
    '<circle cx="26" cy="48" r="8" fill="#22252b"/><circle cx="82" cy="48" r="8" fill="#22252b"/></g>',
  ].join('');
}
