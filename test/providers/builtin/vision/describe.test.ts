import { describe, expect, it } from '@jest/globals';
import { describePicture } from '../../../../providers/builtin/vision/describe.ts';

const facts = {
  colours: [
    { name: 'синий' as const, share: 0.6 },
    { name: 'белый' as const, share: 0.3 },
  ],
  brightness: 200,
  contrast: 40,
  sharpness: 400,
  width: 640,
  height: 480,
};

describe('the description of a measured picture', () => {
  it.each([
    [undefined, 'Изображение: преобладают синий и белый цвета; светлое, резкое. Есть текст.'],
    ['ru', 'Изображение: преобладают синий и белый цвета; светлое, резкое. Есть текст.'],
    ['en', 'Picture: mostly blue and white; light, sharp. It has text.'],
    ['kk', 'Picture: mostly blue and white; light, sharp. It has text.'],
  ])('is in Russian, or in English if another language is requested: %s', (language, expected) => {
    expect(describePicture(facts, true, language)).toBe(expected);
  });
});
