import { describe, expect, it } from '@jest/globals';
import { withoutMeasurements } from '../../../domain/analysis/measuredFrames.ts';

const measured = {
  description: 'Изображение: преобладает синий цвет.',
  ocrText: null,
  tags: ['синий'],
  isMeasured: true,
};
const looked = { description: 'Кот на окне.', ocrText: null, tags: ['кот'], isMeasured: false };

describe('withoutMeasurements', () => {
  it('removes colours, and keeps what somebody saw or read', () => {
    const read = { ...measured, ocrText: 'МУЗЕЙ' };
    expect(withoutMeasurements({ title: 'Море', frames: [read, looked] })).toEqual({
      title: 'Море',
      frames: [{ ...read, description: '', tags: null }, looked],
    });
  });

  it('removes colours even if there is no word at all', () => {
    expect(withoutMeasurements({ title: null, frames: [measured] }).frames).toEqual([
      { ...measured, description: '', tags: null },
    ]);
  });
});
