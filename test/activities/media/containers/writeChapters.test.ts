import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Workshop } from '../samples.ts';
import { openVideoWorkshop } from './videoWorkshop.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openVideoWorkshop();
});
afterAll(() => workshop?.close());

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
