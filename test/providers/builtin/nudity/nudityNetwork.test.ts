import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sexualLevel } from '../../../../providers/builtin/nudity/nudityLevel.ts';
import { NUDITY_FILE_NAMES } from '../../../../providers/builtin/nudity/classifierFiles.ts';
import {
  CLASSES,
  createNudityNetwork,
  SIDE,
  type ClassProbabilities,
  type NudityNetwork,
} from '../../../../providers/builtin/nudity/nudityNetwork.ts';
import { readModelWeights } from '../../../../providers/builtin/nudity/readNsfwjsWeights.ts';
import { testNudityModel } from '../../../support/programs/engines.ts';

/** Results of TensorFlow.js 4.22 for the same pictures with the same weights, in the order of `CLASSES`. */
const references = JSON.parse(await readFile(join(import.meta.dirname, 'references.json'), 'utf8')) as Record<
  string,
  number[]
>;

/** Each function returns a picture's value at an index, which is colour `index % 3` of a pixel. */
const PICTURES: Record<string, (index: number) => number> = {
  ramp: (index) => (index * 7_919) % 256,
  grey: () => 128,
  stripes: (index) => {
    const { x, y } = placeOf(index);
    return (Math.floor(x / 16) % 2 === 1 ? 230 : 40) + (index % 3) * 5 + (y % 7);
  },
  skin: (index) => {
    const { x, y } = placeOf(index);
    const isInside = ((x - 112) / 60) ** 2 + ((y - 112) / 100) ** 2 < 1;
    return isInside ? ([224, 172, 140][index % 3] ?? 0) - Math.floor(y / 16) : ([40, 60, 90][index % 3] ?? 0);
  },
};

function placeOf(index: number): { x: number; y: number } {
  const pixel = Math.floor(index / 3);
  return { x: pixel % SIDE, y: Math.floor(pixel / SIDE) };
}

let scripts: string[];
let network: NudityNetwork;
beforeAll(async () => {
  const folder = await testNudityModel();
  scripts = await Promise.all(NUDITY_FILE_NAMES.map((name) => readFile(join(folder, name), 'latin1')));
  const [model = '', ...shards] = scripts;
  network = createNudityNetwork(readModelWeights(model, shards));
});

describe('the network', () => {
  it.each(Object.keys(references))('gives the same result as the reference for the picture "%s"', (name) => {
    const pixels = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, index) => PICTURES[name]?.(index) ?? 0);
    const chances = network(pixels);
    for (const [at, each] of CLASSES.entries()) expect(chances[each]).toBeCloseTo(references[name]?.[at] ?? -1, 5);
  });

  it('keeps nothing of the previous picture', () => {
    const noise = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, index) => PICTURES['ramp']?.(index) ?? 0);
    const first = network(noise);
    network(new Uint8Array(SIDE * SIDE * 3));
    expect(network(noise)).toEqual(first);
  });

  it('cannot be made of truncated weights', () => {
    const [model = '', first = ''] = scripts;
    expect(() => readModelWeights(model, [first])).toThrow(RangeError);
    expect(() => readModelWeights('', [])).toThrow(RangeError);
  });
});

describe('sexualLevel', () => {
  const chances = (given: Partial<ClassProbabilities>): ClassProbabilities => ({
    drawing: 0,
    hentai: 0,
    neutral: 0,
    porn: 0,
    sexy: 0,
    ...given,
  });

  it.each([
    [{ neutral: 1 }, 'none'],
    [{ neutral: 0.75, porn: 0.25 }, 'none'],
    [{ neutral: 0.6, porn: 0.2, hentai: 0.2 }, 'low'],
    [{ sexy: 0.9, neutral: 0.1 }, 'low'],
    [{ porn: 0.25, sexy: 0.4, neutral: 0.35 }, 'low'],
    [{ porn: 0.7, sexy: 0.3 }, 'medium'],
    [{ hentai: 0.95, drawing: 0.05 }, 'high'],
  ] as const)('of %j is %s', (given, level) => {
    expect(sexualLevel(chances(given))).toBe(level);
  });
});
