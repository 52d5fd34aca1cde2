import { describe, expect, it } from '@jest/globals';
import { composeVisibly } from '../../../../activities/media/pictures/visibleBackground.ts';

type Colour = readonly [red: number, green: number, blue: number];

const CLEAR = [90, 10, 200, 0] as const;
const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
const RED: Colour = [220, 40, 40];

/** Returns a row with a stroke of two opaque pixels in each colour, between transparent ones. */
const strokes = (...colours: Colour[]): Uint8Array =>
  Uint8Array.from([CLEAR, ...colours.flatMap((colour) => [[...colour, 255], [...colour, 255], CLEAR])].flat());

/** Returns the colour that replaces the first, transparent pixel. */
const backgroundOf = (rgba: Uint8Array): number[] => [...composeVisibly(rgba).subarray(0, 3)];

describe('the background of a picture with transparent parts', () => {
  it.each<[string, Colour[], number]>([
    ['black letters', [BLACK, BLACK], 255],
    ['coloured letters', [RED], 255],
    ['white letters', [WHITE, WHITE], 0],
    ['light yellow letters', [[255, 240, 120]], 0],
    ['white letters beside a red sign', [RED, WHITE], 0],
    ['white letters and black ones', [WHITE, BLACK], 128],
    ['letters in white, black and red', [WHITE, BLACK, RED], 255],
    ['nothing', [], 255],
  ])('shows %s', (_, colours, grey) => {
    expect(backgroundOf(strokes(...colours))).toEqual([grey, grey, grey]);
  });

  it('is white for white letters that a coloured sign surrounds', () => {
    const sign = [CLEAR, [...RED, 255], [...WHITE, 255], [...WHITE, 255], [...RED, 255], CLEAR];
    expect(backgroundOf(Uint8Array.from(sign.flat()))).toEqual([255, 255, 255]);
  });

  it('is not chosen by a soft shadow', () => {
    const shadowed = [CLEAR, [0, 0, 0, 30], [...WHITE, 255], [...WHITE, 255], [0, 0, 0, 30], CLEAR];
    expect(backgroundOf(Uint8Array.from(shadowed.flat()))).toEqual([0, 0, 0]);
  });
});

describe('composeVisibly', () => {
  it('keeps opaque pixels and mixes the others', () => {
    const rgba = Uint8Array.from([...RED, 255, ...BLACK, 128, ...CLEAR]);
    expect([...composeVisibly(rgba)]).toEqual([...RED, 127, 127, 127, 255, 255, 255]);
  });

  it('returns nothing for no pixels', () => {
    expect(composeVisibly(new Uint8Array())).toHaveLength(0);
  });
});
