/** A factual Russian description of what was measured: no guess at what is shown, hence no tags. */
import type { PictureFacts } from './facts.ts';

/** A colour below this share is no feature of the picture. */
const LEAST_SHARE = 0.15;
const MOST_COLOURS = 3;
const DARK = 60;
const LIGHT = 190;
const FLAT_CONTRAST = 6;
/** The usual limit for photographs at about this width; below it fine detail is missing. */
const BLURRED = 60;
const SHARP = 300;

/** True for a picture of one plain colour: nothing to read on it. */
export function isFlat(facts: PictureFacts): boolean {
  return facts.contrast < FLAT_CONTRAST;
}

/**
 * «Изображение: преобладают синий и белый цвета; светлое, резкое. Есть текст.»
 * Sharpness is left out between the limits and for a plain surface, where it means nothing.
 */
export function describePicture(facts: PictureFacts, hasText: boolean): string {
  const colours = dominantColours(facts);
  const qualities = qualitiesOf(facts);
  const colourWords = colours.length === 1 ? `преобладает ${colours[0]} цвет` : `преобладают ${listed(colours)} цвета`;
  const parts = [
    colours.length === 0 ? 'цвета смешанные' : colourWords,
    ...(qualities.length > 0 ? [qualities.join(', ')] : []),
  ];
  return `Изображение: ${parts.join('; ')}.${hasText ? ' Есть текст.' : ''}`;
}

function dominantColours(facts: PictureFacts): string[] {
  return facts.colours
    .filter(({ share }) => share >= LEAST_SHARE)
    .slice(0, MOST_COLOURS)
    .map(({ name }) => name);
}

function qualitiesOf(facts: PictureFacts): string[] {
  const qualities: string[] = [];
  if (facts.brightness < DARK) qualities.push('тёмное');
  if (facts.brightness > LIGHT) qualities.push('светлое');
  if (isFlat(facts)) return [...qualities, 'однотонное'];
  if (facts.sharpness < BLURRED) qualities.push('нерезкое');
  if (facts.sharpness > SHARP) qualities.push('резкое');
  return qualities;
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} и ${last}`;
}
