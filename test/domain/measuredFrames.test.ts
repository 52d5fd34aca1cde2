import { describe, expect, it } from '@jest/globals';
import { withoutMeasures } from '../../domain/measuredFrames.ts';

const measured = {
  description: 'Изображение: преобладает синий цвет.',
  ocrText: null,
  tags: ['синий'],
  isMeasured: true,
};
const looked = { description: 'Кот на окне.', ocrText: null, tags: ['кот'], isMeasured: false };
const item = { title: null, description: null, body: null, transcripts: [] };

describe('withoutMeasures', () => {
  it('leaves colours out beside any word, and keeps what somebody saw', () => {
    for (const words of [{ title: 'Море' }, { transcripts: [{ text: 'Шум волн' }] }])
      expect(withoutMeasures({ ...item, ...words, frames: [measured] }).frames).toEqual([
        { ...measured, description: '', tags: null },
      ]);
    const read = { ...measured, ocrText: 'МУЗЕЙ' };
    expect(withoutMeasures({ ...item, frames: [read, looked] }).frames).toEqual([
      { ...read, description: '', tags: null },
      looked,
    ]);
  });

  it('keeps them as a description, never as tags, where there is no word at all', () => {
    expect(withoutMeasures({ ...item, frames: [measured] }).frames).toEqual([{ ...measured, tags: null }]);
  });
});
