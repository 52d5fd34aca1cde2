import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { CODECS } from '../../../../activities/media/containers/ffmpegInput.ts';
import { describeAudio, openWorkshop, slidePgm, type Workshop } from '../samples.ts';

const run = promisify(execFile);
let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
  await workshop.make(
    '-f lavfi -i testsrc2=s=320x180:r=10:d=6 -f lavfi -i sine=d=6 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac a.mp4',
  );
});
afterAll(() => workshop.close());

const times = (frames: { ts: number }[]) => frames.map(({ ts }) => ts);

/** Makes the contents of all packets from a time on unreadable. */
function damagedFlv(whole: Buffer, fromMs: number): Buffer {
  const bytes = Buffer.from(whole);
  for (let at = 13; at < bytes.length;) {
    const [type, size] = [bytes[at], bytes.readUIntBE(at + 1, 3)];
    const head = type === 9 ? 5 : 2; // the kinds of the codec and of the packet
    if (type !== 18 && bytes.readUIntBE(at + 4, 3) >= fromMs) bytes.fill(0x5b, at + 11 + head, at + 11 + size);
    at += 11 + size + 4;
  }
  return bytes;
}

describe('a video', () => {
  it('yields frames, sound and its dimensions, and leaves nothing else in the folder', async () => {
    const { outDir, ...found } = await workshop.analyse('a.mp4', 'video');
    expect(found).toMatchObject({
      width: 320,
      height: 180,
      truncated: false,
      audio: 'audio.flac',
      subtitles: null,
      chapters: null,
      warnings: [],
    });
    expect(found.durationSec).toBeCloseTo(6, 1);
    expect(times(found.frames)).toEqual([0, expect.closeTo(3, 1), expect.closeTo(5.9, 1)]);
    expect((await readdir(outDir)).sort()).toEqual(['audio.flac', ...found.frames.map(({ file }) => file)].sort());
    const picture = await sharp(join(outDir, found.frames[0]?.file ?? '')).metadata();
    expect(picture).toMatchObject({ format: 'jpeg', width: 320, height: 180 });
  });

  it('has mono sound at 16 kHz on the time axis of the video', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=64x64:r=10:d=6 -itsoffset 2 -f lavfi -i sine=d=4:r=44100 -ac 2 -c:v libx264 -c:a aac late.mkv',
    );
    const { outDir, audio } = await workshop.analyse('late.mkv', 'video');
    const { seconds, line } = await describeAudio(workshop, join(outDir, audio ?? ''));
    expect(line).toMatch(/flac, 16000 Hz, mono/);
    expect(seconds).toBeGreaterThan(5.8);
    expect(seconds).toBeLessThan(6.2);
  });

  it('without sound has no audio', async () => {
    await workshop.make('-i a.mp4 -an -c copy mute.mp4');
    const { audio, frames } = await workshop.analyse('mute.mp4', 'video');
    expect(audio).toBeNull();
    expect(frames.length).toBeGreaterThanOrEqual(3);
  });

  it('is scaled down to 1024 pixels with its pixel aspect ratio applied', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=1440x1080:r=5:d=1 -vf setsar=4/3 -c:v libx264 -preset ultrafast wide.mp4',
    );
    const { outDir, frames, width, height } = await workshop.analyse('wide.mp4', 'video');
    expect(await sharp(join(outDir, frames[0]?.file ?? '')).metadata()).toMatchObject({ width: 1024, height: 576 });
    expect({ width, height }).toEqual({ width: 1920, height: 1080 });
  });

  it('that changes its size and shape keeps the shape of each picture, inside the size of the first', async () => {
    const scenes = [
      ['lying.ts', '640x360', 'red'],
      ['larger.ts', '1280x720', 'green'],
      ['smaller.ts', '320x180', 'yellow'],
      ['standing.ts', '360x640', 'blue'],
    ];
    for (const [name, size, colour] of scenes)
      await workshop.make(
        `-f lavfi -i color=${colour}:s=${size}:r=10:d=4 -vf drawbox=w=iw/2:h=ih:color=white:t=fill -c:v libx264 -preset ultrafast ${name}`,
      );
    const parts = await Promise.all(scenes.map(([name = '']) => readFile(workshop.path(name))));
    await workshop.write('changing.ts', Buffer.concat(parts));

    const { frames, outDir } = await workshop.analyse('changing.ts', 'video');
    const shown = await Promise.all(
      frames.map(async ({ file }) => {
        const picture = sharp(join(outDir, file));
        const { width, height } = await picture.metadata();
        const pixels = await picture.raw().toBuffer();
        const isDark = (x: number) =>
          pixels
            .subarray((180 * 640 + x) * 3)
            .subarray(0, 3)
            .every((value) => value < 30);
        return [width, height, isDark(2), isDark(200), isDark(250)];
      }),
    );
    const [filled, narrow] = [
      [640, 360, false, false, false],
      [640, 360, true, true, false],
    ];
    const at = shown.findIndex((frame) => frame[2] === true);
    expect(at).toBeGreaterThan(2);
    expect(shown).toEqual(shown.map((_, index) => (index < at ? filled : narrow)));
  });

  it('from a phone is rotated upright', async () => {
    await workshop.make(
      '-f lavfi -i color=red:s=320x180:r=5:d=2 -vf drawbox=w=20:h=180:color=blue:t=fill -c:v libx264 -preset ultrafast -pix_fmt yuv420p lying.mp4',
    );
    await workshop.make('-display_rotation 90 -i lying.mp4 -c copy standing.mp4');
    const { outDir, width, height, frames } = await workshop.analyse('standing.mp4', 'video');
    expect([width, height]).toEqual([180, 320]);
    const { data, info } = await sharp(join(outDir, frames[0]?.file ?? ''))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([180, 320]);
    // rotated counter-clockwise, the left edge is at the bottom
    expect(data[(info.height - 5) * info.width * 3 + 2]).toBeGreaterThan(150);
    expect(data[5 * info.width * 3 + 2]).toBeLessThan(100);
  });

  it('with wide pixels is rotated upright without a margin', async () => {
    await workshop.make(
      '-f lavfi -i color=red:s=240x180:r=5:d=2 -vf setsar=4/3 -c:v libx264 -preset ultrafast -pix_fmt yuv420p wide.mp4',
    );
    await workshop.make('-display_rotation 90 -i wide.mp4 -c copy high.mp4');
    const { outDir, frames } = await workshop.analyse('high.mp4', 'video');
    const { channels } = await sharp(join(outDir, frames[0]?.file ?? '')).stats();
    expect(channels[0]?.min).toBeGreaterThan(150);
  });

  it('of 40 minutes keeps at most 60 frames, 40 s apart, up to the end', async () => {
    await workshop.make('-f lavfi -i testsrc2=s=64x48:r=1:d=2400 -c:v libx264 -preset ultrafast -g 60 long.mp4');
    const { durationSec, frames, outDir } = await workshop.analyse('long.mp4', 'video');
    expect(durationSec).toBeCloseTo(2400, 0);
    expect(frames.length).toBeGreaterThan(20);
    expect(frames.length).toBeLessThanOrEqual(60);
    const gaps = times(frames)
      .slice(1)
      .map((ts, at) => ts - (frames[at]?.ts ?? 0));
    expect(gaps.filter((gap) => gap < 39.9).length).toBeLessThanOrEqual(4); // beside the middle and the last frame
    expect(times(frames)).toEqual(expect.arrayContaining([0, 1200, 2395]));
    expect((await readdir(outDir)).length).toBe(frames.length);
  });

  it('whose container states no duration has its duration measured', async () => {
    await workshop.make('-i a.mp4 -c:v libvpx -deadline realtime -c:a libvorbis -live 1 live.webm');
    const { durationSec, truncated, frames } = await workshop.analyse('live.webm', 'video');
    expect(durationSec).toBeCloseTo(6, 0);
    expect(truncated).toBe(false);
    expect(times(frames)[1]).toBeCloseTo(3, 0);
  });

  it('longer than the limit is read up to the limit and flagged', async () => {
    const { truncated, durationSec, frames } = await workshop.analyse('a.mp4', 'video', { limits: { durationSec: 3 } });
    expect({ truncated, durationSec }).toEqual({ truncated: true, durationSec: expect.closeTo(6, 1) });
    expect(Math.max(...times(frames))).toBeLessThan(3);
  });

  it('reports progress of each stage', async () => {
    const stages = new Set<string>();
    await workshop.analyse('a.mp4', 'video', { onProgress: ({ stage }) => stages.add(stage) });
    expect([...stages]).toEqual(['probe', 'decode', 'frames']);
  });
});

describe('a container with a wrong duration', () => {
  /** Changes the duration that the head of a Matroska file states, in milliseconds. */
  const stating = async (name: string, ms: number) => {
    const bytes = Buffer.from(await readFile(workshop.path('stated.mkv')));
    const durationId = Buffer.from([0x44, 0x89, 0x88]);
    bytes.writeDoubleBE(ms, bytes.indexOf(durationId) + durationId.length);
    await workshop.write(name, bytes);
    return await workshop.analyse(name, 'video');
  };

  it('has the length of what it contains', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=64x64:r=5:d=20 -f lavfi -i sine=d=20 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac stated.mkv',
    );
    for (const ms of [9e15, 180 * 86_400_000, 100]) {
      const { durationSec, truncated, frames } = await stating('wrong.mkv', ms);
      expect([ms, durationSec, truncated]).toEqual([ms, expect.closeTo(20, 0), false]);
      expect(frames.length).toBeGreaterThan(5);
    }
  });

  it('has the length of what it contains even if its parts were joined with their old times', async () => {
    const part = '-f lavfi -i testsrc2=s=64x64:r=5:d=10 -c:v libx264 -preset ultrafast -pix_fmt yuv420p';
    await workshop.make(`${part} first.ts`);
    await workshop.make(`${part} -output_ts_offset 50000 second.ts`);
    const parts = await Promise.all(['first.ts', 'second.ts'].map((name) => readFile(workshop.path(name))));
    await workshop.write('joined.ts', Buffer.concat(parts));
    const { durationSec, truncated, frames } = await workshop.analyse('joined.ts', 'video');
    expect([durationSec, truncated]).toEqual([expect.closeTo(20, 0), false]);
    expect(frames.length).toBeGreaterThan(5);
  });
});

describe('a recording of Flash, whose stated duration may be an estimate,', () => {
  beforeAll(async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=64x64:r=5:d=60 -f lavfi -i sine=d=60 -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac whole.flv',
    );
    await workshop.write('damaged.flv', damagedFlv(await readFile(workshop.path('whole.flv')), 10_000));
  });

  it.each(['video', 'audio'] as const)('is flagged if it cannot be decoded to its end, as %s', async (kind) => {
    expect(await workshop.analyse('whole.flv', kind)).toMatchObject({
      durationSec: expect.closeTo(60, 0),
      truncated: false,
    });
    expect(await workshop.analyse('damaged.flv', kind)).toMatchObject({
      durationSec: expect.closeTo(60, 0),
      truncated: true,
    });
  });

  it('is flagged without sound too', async () => {
    await workshop.make('-i whole.flv -an -c copy mute.flv');
    await workshop.write('damaged-mute.flv', damagedFlv(await readFile(workshop.path('mute.flv')), 10_000));
    expect(await workshop.analyse('damaged-mute.flv', 'video')).toMatchObject({ truncated: true });
  });

  it('is not flagged if its frames were selected for a longer video', async () => {
    await workshop.make('-i whole.flv -t 20 -c copy short.flv');
    await workshop.make('-i whole.flv -t 20 -an -c copy short-mute.flv');
    for (const name of ['short.flv', 'short-mute.flv']) {
      const bytes = Buffer.from(await readFile(workshop.path(name)));
      bytes.writeDoubleBE(3_600, bytes.indexOf('duration') + 'duration'.length + 1);
      await workshop.write('wrong.flv', bytes);
      const { durationSec, truncated } = await workshop.analyse('wrong.flv', 'video');
      expect([name, durationSec, truncated]).toEqual([name, expect.closeTo(20, 0), false]);
    }
  });

  it('is flagged if its file breaks off', async () => {
    const whole = await readFile(workshop.path('whole.flv'));
    await workshop.write('cut.flv', whole.subarray(0, whole.length / 2));
    for (const kind of ['video', 'audio'] as const) {
      const { durationSec, truncated } = await workshop.analyse('cut.flv', kind);
      expect([kind, durationSec, truncated]).toEqual([kind, expect.closeTo(30, -1), true]);
    }
  });

  it('is kept as far as it was decoded if its length cannot be measured in time', async () => {
    const { durationSec, truncated, frames } = await workshop.analyse('damaged.flv', 'video', {
      limits: { extractMs: 1, extractShare: 5 },
    });
    expect([durationSec, truncated]).toEqual([expect.closeTo(10, 0), true]);
    expect(frames.length).toBeGreaterThan(1);
  });
});

describe('a stream that cannot be read', () => {
  const SOUNDS = '-f lavfi -i testsrc2=s=64x64:r=5:d=2 -f lavfi -i sine=r=48000:d=2';

  it('does not hide another one', async () => {
    await workshop.make(
      `${SOUNDS} -map 0 -map 1 -map 1 -c:v libx264 -c:a:0 truehd -strict -2 -ac:a:0 2 -c:a:1 ac3 -disposition:a:0 default film.mkv`,
    );
    expect(await workshop.analyse('film.mkv', 'video')).toMatchObject({ audio: 'audio.flac', warnings: [] });
  });

  it('costs a video only its sound, and a recording everything', async () => {
    await workshop.make(`${SOUNDS} -c:v libx264 -pix_fmt yuv420p -c:a nellymoser -ar 22050 -ac 1 old.flv`);
    const { audio, warnings, frames } = await workshop.analyse('old.flv', 'video');
    expect([audio, warnings]).toEqual([null, ['audio_unreadable']]);
    expect(frames.length).toBeGreaterThan(1);
    const unsupported = { code: 'unsupported_media', detail: 'nellymoser', permanent: true };
    await expect(workshop.analyse('old.flv', 'audio')).rejects.toMatchObject(unsupported);
  });
});

it('ffmpeg has a listed decoder for each listed codec', async () => {
  const { stdout } = await run(workshop.ffmpeg, ['-hide_banner', '-codecs']);
  const decoders = new Map(
    stdout.split('\n').flatMap((line) => {
      const name = /^ D.{5} (\S+)/.exec(line)?.[1];
      const own = /\(decoders: ([^)]+)\)/.exec(line)?.[1] ?? name;
      return name === undefined ? [] : [[name, new Set(own?.split(' '))] as const];
    }),
  );
  for (const [codec, listed] of Object.values(CODECS).flatMap((codecs) => Object.entries(codecs)))
    expect([codec, listed.some((decoder) => decoders.get(codec)?.has(decoder))]).toEqual([codec, true]);
});

describe('chapters', () => {
  it.each(['matroska', 'mp4', 'mp3'])('of a container are extracted: %s', async (format) => {
    const chapters = ['Тесто', 'Rest', 'Oven'].map(
      (title, at) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${at * 2}\nEND=${at * 2 + 2}\ntitle=${title}\n`,
    );
    await workshop.write('chapters.txt', `;FFMETADATA1\n${chapters.join('')}`);
    const codec = format === 'mp3' ? 'libmp3lame' : 'aac';
    await workshop.make(
      `-i a.mp4 -i chapters.txt -map 0:a -map_metadata 1 -map_chapters 1 -c:a ${codec} -f ${format} chapters.${format}`,
    );
    const { chapters: file, outDir } = await workshop.analyse(`chapters.${format}`, 'audio');
    expect(JSON.parse(await readFile(join(outDir, file ?? ''), 'utf8'))).toEqual([
      { start: 0, title: 'Тесто' },
      { start: 2, title: 'Rest' },
      { start: 4, title: 'Oven' },
    ]);
  });
});

describe('slides', () => {
  it('that differ only in text are kept apart, repeats are marked, and subtitles are extracted', async () => {
    const lines = ['Results of the quarter', 'Revenue grew by 10 percent', 'Costs stayed as they were'];
    await workshop.write('1.pgm', slidePgm(lines));
    await workshop.write('2.pgm', slidePgm(lines.with(1, 'Revenue grew by 20 percent')));
    await workshop.write(
      'sub.srt',
      '1\n00:00:01,000 --> 00:00:03,000\nПервый слайд\n\n2\n00:00:07,000 --> 00:00:09,000\nВторой слайд\n',
    );
    const inputs = ['1', '2', '1'].map((name) => `-loop 1 -framerate 5 -t 6 -i ${name}.pgm`).join(' ');
    await workshop.make(
      `${inputs} -i sub.srt -filter_complex [0][1][2]concat=n=3,format=yuv420p[v] -map [v] -map 3 -c:v libx264 -preset ultrafast -c:s mov_text slides.mp4`,
    );

    const { frames, subtitles, outDir } = await workshop.analyse('slides.mp4', 'video');
    const shown = frames.map(({ ts, duplicateOfTs }) => [
      ts < 6 ? 1 : ts < 12 ? 2 : 1,
      duplicateOfTs === null ? null : duplicateOfTs < 6 ? 1 : 2,
    ]);
    expect(shown.filter(([, original]) => original === null)).toEqual([
      [1, null],
      [2, null],
    ]);
    expect(shown.filter(([, original]) => original !== null).every(([slide, original]) => slide === original)).toBe(
      true,
    );
    expect(shown.at(-1)).toEqual([1, 1]);
    expect(await readFile(join(outDir, subtitles ?? ''), 'utf8')).toMatch(
      /WEBVTT[\s\S]*00:07\.000 --> 00:09\.000\nВторой слайд/,
    );
  });

  it('keep subtitles that are in windows-1251, and go without those in an unknown encoding', async () => {
    const cue = (text: string) => `1\n00:00:00,500 --> 00:00:02,500\n${text}\n\n`;
    // «Добрый вечер!», and the first bytes of a cue in UTF-16.
    await workshop.write('old.srt', Buffer.from(cue('\xc4\xee\xe1\xf0\xfb\xe9 \xe2\xe5\xf7\xe5\xf0!'), 'latin1'));
    await workshop.write('odd.srt', Buffer.from(cue('\xfe\xff\x04\x14\x04\x3e\x04\x31'), 'latin1'));
    for (const name of ['old', 'odd']) {
      const inputs = `-f lavfi -i color=red:s=64x64:r=5:d=3 -i ${name}.srt -map 0 -map 1`;
      await workshop.make(`${inputs} -c:v libx264 -preset ultrafast -c:s copy ${name}.mkv`);
    }

    const { subtitles, outDir, warnings } = await workshop.analyse('old.mkv', 'video');
    expect(await readFile(join(outDir, subtitles ?? ''), 'utf8')).toContain('Добрый вечер!');
    expect(warnings).toEqual([]);
    const odd = await workshop.analyse('odd.mkv', 'video');
    expect(odd).toMatchObject({ subtitles: null, warnings: ['subtitles_unreadable'] });
  });

  it.each([
    ['in the language of the sound', 'rus', ['eng', 'rus'], ['full', 'full'], 1],
    ['that is the default one', 'jpn', ['eng', 'rus'], ['full', 'full'], 0],
    [
      'that is the default one although the sound is English, as unstated sound is',
      'eng',
      ['rus', 'eng'],
      ['full', 'full'],
      0,
    ],
    ['with most of the words', 'jpn', ['eng', 'rus'], ['one', 'full'], 1],
    ['in the language of the sound, however few words it has', 'rus', ['eng', 'rus'], ['full', 'one'], 1],
    ['that speaks for most of the time, not the one with most cues', 'jpn', ['eng', 'rus'], ['karaoke', 'full'], 1],
    ['that can be read', 'und', ['und', 'und'], ['odd', 'full'], 1],
  ])('have the text of the track %s', async (name, sound, languages, files, chosen) => {
    const cue = (place: number, text: string) => `${place}\n00:00:0${place},100 --> 00:00:0${place},900\n${text}\n\n`;
    const words: Record<string, string | Buffer> = {
      full: cue(0, 'The first words') + cue(1, 'The second words') + cue(2, 'The third words'),
      one: '',
      karaoke: Array.from({ length: 9 }, (_, at) => `${at}\n00:00:00,${at}00 --> 00:00:00,${at}50\nla\n\n`).join(''),
      odd: Buffer.from(cue(0, '\xfe\xff\x04\x14\x04\x3e\x04\x31'), 'latin1'),
    };
    for (const [place, file] of files.entries())
      await workshop.write(
        `track-${place}.srt`,
        Buffer.concat(
          [Buffer.from(words[file] ?? ''), Buffer.from(cue(3, `TRACK ${place}`))].slice(0, file === 'odd' ? 1 : 2),
        ),
      );
    const inputs = '-f lavfi -i color=red:s=64x64:r=5:d=4 -f lavfi -i sine=r=48000:d=4 -i track-0.srt -i track-1.srt';
    const tags = languages.map((language, place) => `-metadata:s:s:${place} language=${language}`).join(' ');
    const maps = '-map 0 -map 1 -map 2 -map 3 -c:v libx264 -preset ultrafast -c:a flac -c:s copy';
    const file = `${name.replaceAll(/\W/g, '-')}.mkv`;
    await workshop.make(`${inputs} ${maps} -metadata:s:a:0 language=${sound} ${tags} -disposition:s:0 default ${file}`);
    const { subtitles, outDir, warnings } = await workshop.analyse(file, 'video');
    const text = await readFile(join(outDir, subtitles ?? ''), 'utf8');
    expect(text).toContain(`TRACK ${chosen}`);
    expect(/^Language: (.*)$/m.exec(text)?.[1]).toBe({ eng: 'en', rus: 'ru' }[languages[chosen] ?? '']);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['in the language of the item', 'und', 'ru', ['full', 'full', 'full'], 1],
    ['that is the default one if none is in the language of the item', 'und', 'fr', ['full', 'full', 'full'], 0],
    ['in another language if the one in that of the item has few words', 'und', 'ru', ['full', 'one', 'full'], 0],
    ['that is the default one if the language of the sound is stated', 'fre', 'ru', ['full', 'full', 'full'], 0],
  ])(
    'with subtitles in three languages have the text of the track %s',
    async (_, sound, itemLanguage, files, chosen) => {
      const cue = (at: number, text: string) => `${at}\n00:00:0${at},100 --> 00:00:0${at},900\n${text}\n\n`;
      for (const [place, file] of files.entries())
        await workshop.write(
          `three-${place}.srt`,
          cue(0, `TRACK ${place}`) + (file === 'full' ? cue(1, 'One') + cue(2, 'Two') : ''),
        );
      const inputs = files.map((_file, place) => `-i three-${place}.srt`).join(' ');
      const tags = ['ger', 'rus', 'eng'].map((tag, place) => `-metadata:s:s:${place} language=${tag}`).join(' ');
      await workshop.make(
        `-f lavfi -i sine=d=4 ${inputs} -map 0 -map 1 -map 2 -map 3 -c:a aac -c:s mov_text -metadata:s:a:0 language=${sound} ${tags} three.mp4`,
      );
      const { subtitles, outDir } = await workshop.analyse('three.mp4', 'audio', { itemLanguage });
      expect(await readFile(join(outDir, subtitles ?? ''), 'utf8')).toContain(`TRACK ${chosen}`);
    },
  );

  it('that are black are flagged', async () => {
    await workshop.make('-f lavfi -i color=black:s=64x64:r=5:d=3 -c:v libx264 -preset ultrafast black.mp4');
    const { frames } = await workshop.analyse('black.mp4', 'video');
    expect(frames.map(({ flat, duplicateOfTs }) => [flat, duplicateOfTs])).toEqual([
      [true, null],
      [true, 0],
      [true, 0],
    ]);
  });
});

describe('an audio medium', () => {
  it('with cover art yields sound and no frames', async () => {
    await workshop.make('-f lavfi -i testsrc2=s=64x64 -frames:v 1 cover.png');
    await workshop.make(
      '-f lavfi -i sine=d=3 -i cover.png -map 0 -map 1 -c:v copy -disposition:v attached_pic song.mp3',
    );
    await workshop.make(
      '-f lavfi -i sine=d=3 -i cover.png -map 0 -map 1 -c:a aac -c:v copy -disposition:v attached_pic song.m4a',
    );
    for (const name of ['song.mp3', 'song.m4a']) {
      const found = await workshop.analyse(name, 'audio');
      expect(found).toMatchObject({ width: null, height: null, audio: 'audio.flac', frames: [], truncated: false });
      expect(found.durationSec).toBeCloseTo(3, 0);
    }
    await expect(workshop.analyse('song.m4a', 'video')).rejects.toMatchObject({ code: 'no_video_stream' });
  });

  it('without a single sample is refused', async () => {
    await workshop.make('-f lavfi -i sine=d=1 -c:a pcm_s16le second.wav');
    const whole = await readFile(workshop.path('second.wav'));
    const head = Buffer.from(whole.subarray(0, whole.indexOf('data') + 8));
    head.writeUInt32LE(0, head.length - 4);
    await workshop.write('nothing.wav', head);
    await expect(workshop.analyse('nothing.wav', 'audio')).rejects.toMatchObject({ code: 'decode_failed' });
    await workshop.make('-f lavfi -i anullsrc=r=16000:cl=mono -t 0.01 -c:a pcm_s16le silent.wav');
    expect(await workshop.analyse('silent.wav', 'audio')).toMatchObject({ audio: 'audio.flac' });
  });

  it('may be in a video container, whose pictures are not decoded', async () => {
    expect(await workshop.analyse('a.mp4', 'audio')).toMatchObject({ audio: 'audio.flac', frames: [], width: null });
  });

  it('without sound is refused', async () => {
    await workshop.make('-i a.mp4 -an -c copy silent.mp4');
    await expect(workshop.analyse('silent.mp4', 'audio')).rejects.toMatchObject({
      code: 'no_audio_stream',
      permanent: true,
    });
  });
});

describe('a bad or unusual medium', () => {
  const refused = async (name: string, code: string, limits = {}) => {
    const outDir = await workshop.outDir();
    await expect(workshop.analyse(name, 'video', { outDir, limits })).rejects.toMatchObject({
      name: 'MediaError',
      code,
      permanent: true,
    });
    expect(await readdir(outDir)).toEqual([]);
    expect(await workshop.processes()).toEqual([]);
  };

  it('that is cut before its index is refused', async () => {
    const whole = await readFile(workshop.path('a.mp4'));
    await workshop.write('cut.mp4', whole.subarray(0, whole.length / 2));
    await refused('cut.mp4', 'media_truncated');
  });

  it('that is cut after its index is read as far as possible and flagged', async () => {
    await workshop.make('-i a.mp4 -c copy -movflags +faststart front.mp4');
    const whole = await readFile(workshop.path('front.mp4'));
    await workshop.write('cut-front.mp4', whole.subarray(0, whole.length / 3));
    const { truncated, durationSec, frames } = await workshop.analyse('cut-front.mp4', 'video');
    expect(truncated).toBe(true);
    expect(durationSec).toBeLessThan(4);
    expect(frames.length).toBeGreaterThan(0);
  });

  it('with only a header and noise is refused', async () => {
    const whole = await readFile(workshop.path('a.mp4'));
    await workshop.write('noise.mp4', Buffer.concat([whole.subarray(0, 40), Buffer.alloc(50_000, 0xa5)]));
    await refused('noise.mp4', 'media_truncated');
  });

  it('with more than 32 streams is refused', async () => {
    await workshop.make(
      `-f lavfi -i sine=d=0.2 -f lavfi -i testsrc2=s=32x32:d=0.2 ${'-map 0 '.repeat(32)}-map 1 many.mkv`,
    );
    await refused('many.mkv', 'too_many_streams');
  });

  it('may have any number of fonts attached', async () => {
    await workshop.write('font.ttf', Buffer.alloc(1_000, 7));
    await workshop.make(
      `-i a.mp4 -c copy ${'-attach font.ttf '.repeat(40)}-metadata:s:t mimetype=application/x-truetype-font fonts.mkv`,
    );
    expect(await workshop.analyse('fonts.mkv', 'video')).toMatchObject({ width: 320, warnings: [] });
  });

  it('with a picture that is too large is refused before it is decoded', async () => {
    await refused('a.mp4', 'resolution_too_large', { videoPixels: 320 * 180 - 1 });
  });

  it('that changes its size midway keeps its times', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=320x180:r=10:d=4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p small.ts',
    );
    await workshop.make(
      '-f lavfi -i mandelbrot=s=640x360:r=10 -t 4 -output_ts_offset 4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p big.ts',
    );
    await workshop.write(
      'changing.ts',
      Buffer.concat([await readFile(workshop.path('small.ts')), await readFile(workshop.path('big.ts'))]),
    );
    const { frames } = await workshop.analyse('changing.ts', 'video');
    expect(Math.max(...times(frames))).toBeGreaterThan(6);
    expect(frames.length).toBeLessThan(12);
  });

  it('that takes too long is killed at its limit', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=1920x1080:r=30:d=2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p short.mkv',
    );
    await workshop.make('-stream_loop 100 -i short.mkv -c copy poison.mkv');
    await refused('poison.mkv', 'processing_timeout', { extractMs: 400, extractShare: 0 });
  });

  it('is not blamed when the decoder is missing', async () => {
    await expect(workshop.analyse('a.mp4', 'video', { ffmpegPath: '/nowhere/ffmpeg' })).rejects.toMatchObject({
      code: 'decoder_unavailable',
      permanent: false,
    });
  });
});
