/**
 * Describes measured facts of a picture in Russian or English. It does not guess what is shown, so there are no tags.
 */
import { DEFAULT_LANGUAGE } from '../../../domain/analysis/languageSettings.ts';
import { COLOUR_NAMES, type ColourName } from './colours.ts';
import type { PictureFacts } from './pictureFacts.ts';

/** A colour below this share does not characterise the picture. */
const MIN_SHARE = 0.15;
const MAX_COLOURS = 3;
const DARK = 60;
const LIGHT = 190;
const FLAT_CONTRAST = 6;
/**
 * The usual limit for photographs at about the width at which sharpness is measured (pictureFacts.ts); below it fine
 * detail is missing.
 */
const BLURRED = 60;
const SHARP = 300;

/** Returns whether a picture has one plain colour and so nothing to read. */
export function isFlat(facts: PictureFacts): boolean {
  return facts.contrast < FLAT_CONTRAST;
}

/** The phrases of descriptions in one language. */
interface Phrases {
  colour: (name: ColourName) => string;
  and: string;
  mostly: (colours: readonly string[], listed: string) => string;
  mixed: string;
  dark: string;
  light: string;
  plain: string;
  blurred: string;
  sharp: string;
  text: string;
}

const RUSSIAN: Phrases = {
  colour: (name) => name,
  and: ' и ',
  mostly: (colours, listed) => (colours.length === 1 ? `преобладает ${listed} цвет` : `преобладают ${listed} цвета`),
  mixed: 'цвета смешанные',
  dark: 'тёмное',
  light: 'светлое',
  plain: 'однотонное',
  blurred: 'нерезкое',
  sharp: 'резкое',
  text: 'Есть текст.',
};

const ENGLISH: Phrases = {
  colour: (name) => COLOUR_NAMES[name],
  and: ' and ',
  mostly: (_, listed) => `mostly ${listed}`,
  mixed: 'mixed colours',
  dark: 'dark',
  light: 'light',
  plain: 'plain',
  blurred: 'blurred',
  sharp: 'sharp',
  text: 'It has text.',
};

/**
 * Returns a description such as «Изображение: преобладают синий и белый цвета; светлое, резкое. Есть текст.» Sharpness
 * is left out between the limits and for a plain surface, where it means nothing.
 * @param language ISO 639-1 code; English for every language other than Russian
 */
export function describePicture(facts: PictureFacts, hasText: boolean, language: string = DEFAULT_LANGUAGE): string {
  const isRussian = language === 'ru';
  const phrases = isRussian ? RUSSIAN : ENGLISH;
  const colours = dominantColours(facts).map(phrases.colour);
  const qualities = qualitiesOf(facts, phrases);
  const parts = [
    colours.length === 0 ? phrases.mixed : phrases.mostly(colours, listed(colours, phrases.and)),
    ...(qualities.length > 0 ? [qualities.join(', ')] : []),
  ];
  const text = hasText ? ` ${phrases.text}` : '';
  return `${isRussian ? 'Изображение' : 'Picture'}: ${parts.join('; ')}.${text}`;
}

function dominantColours(facts: PictureFacts): ColourName[] {
  return facts.colours
    .filter(({ share }) => share >= MIN_SHARE)
    .slice(0, MAX_COLOURS)
    .map(({ name }) => name);
}

function qualitiesOf(facts: PictureFacts, phrases: Phrases): string[] {
  const qualities: string[] = [];
  if (facts.brightness < DARK) qualities.push(phrases.dark);
  if (facts.brightness > LIGHT) qualities.push(phrases.light);
  if (isFlat(facts)) return [...qualities, phrases.plain];
  if (facts.sharpness < BLURRED) qualities.push(phrases.blurred);
  if (facts.sharpness > SHARP) qualities.push(phrases.sharp);
  return qualities;
}

function listed(words: readonly string[], and: string): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')}${and}${last}`;
}
