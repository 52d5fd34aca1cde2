import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorkshop, type Workshop } from '../samples.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop?.close());

describe('media with subtitles', () => {
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
  ])('in three languages have the text of the track %s', async (_, sound, itemLanguage, files, chosen) => {
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
  });
});
