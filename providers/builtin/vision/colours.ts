/** Colours by their everyday Russian names. */

export interface ColourShare {
  name: ColourName;
  /** Part of the picture, 0 to 1. */
  share: number;
}

/** The names with their English translations. */
export const COLOUR_NAMES = {
  чёрный: 'black',
  белый: 'white',
  серый: 'grey',
  красный: 'red',
  оранжевый: 'orange',
  жёлтый: 'yellow',
  зелёный: 'green',
  голубой: 'light blue',
  синий: 'blue',
  фиолетовый: 'purple',
  розовый: 'pink',
  коричневый: 'brown',
  бежевый: 'beige',
} as const;
export type ColourName = keyof typeof COLOUR_NAMES;
const NAMES = Object.keys(COLOUR_NAMES) as ColourName[];

/** Upper bounds of hue in degrees: the Russian basic terms divide blue into two (голубой, синий). */
const HUES: readonly (readonly [number, ColourName])[] = [
  [15, 'красный'],
  [42, 'оранжевый'],
  [68, 'жёлтый'],
  [165, 'зелёный'],
  [205, 'голубой'],
  [258, 'синий'],
  [295, 'фиолетовый'],
  [340, 'розовый'],
  [360, 'красный'],
];

/** Returns the shares of all colours present, largest first. `pixels` is raw 8-bit RGB or RGBA. */
export function colourShares(pixels: Uint8Array, channels: number): ColourShare[] {
  const counts = new Map<ColourName, number>();
  const total = Math.floor(pixels.length / channels);
  for (let pixel = 0; pixel < total; pixel += 1) {
    const at = pixel * channels;
    const name = nameColour(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, share: count / total }))
    .sort((a, b) => b.share - a.share || NAMES.indexOf(a.name) - NAMES.indexOf(b.name));
}

/** Names one sRGB colour by hue, saturation and lightness (HSL). */
export function nameColour(red: number, green: number, blue: number): ColourName {
  const max = Math.max(red, green, blue);
  const min = Math.min(red, green, blue);
  const lightness = (max + min) / 510;
  const chroma = max - min;
  if (lightness < 0.12) return 'чёрный';
  if (lightness > 0.93) return 'белый';
  if (chroma < 28) return grey(lightness);
  const hue = hueOf(red, green, blue, max, chroma);
  const saturation = chroma / 255 / (1 - Math.abs(2 * lightness - 1));
  return refine(HUES.find(([bound]) => hue < bound)?.[1] ?? 'красный', hue, lightness, saturation);
}

function grey(lightness: number): ColourName {
  if (lightness < 0.17) return 'чёрный';
  return lightness > 0.88 ? 'белый' : 'серый';
}

/** Refines a name: dark orange is brown, pale orange beige, pale red pink, pale blue light blue. */
function refine(name: ColourName, hue: number, lightness: number, saturation: number): ColourName {
  const warm = name === 'оранжевый' || name === 'жёлтый' || (name === 'красный' && hue < 15 && saturation < 0.6);
  if (warm && hue < 50 && lightness < 0.42) return 'коричневый';
  if (warm && lightness > 0.6 && saturation < 0.7) return 'бежевый';
  if (warm && hue < 50 && saturation < 0.4) return 'коричневый';
  if (name === 'красный' && lightness > 0.65) return 'розовый';
  return name === 'синий' && lightness > 0.68 ? 'голубой' : name;
}

function hueOf(red: number, green: number, blue: number, max: number, chroma: number): number {
  if (max === red) return (60 * ((green - blue) / chroma) + 360) % 360;
  return max === green ? 60 * ((blue - red) / chroma + 2) : 60 * ((red - green) / chroma + 4);
}
