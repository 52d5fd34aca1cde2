import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { VOICE_FILE } from '../../../../providers/builtin/voice/voiceDetectorFile.ts';
import {
  createVoiceNetwork,
  PIECE,
  SAMPLE_RATE,
  initialState,
  type VoiceNetwork,
} from '../../../../providers/builtin/voice/voiceNetwork.ts';
import { readOnnx } from '../../../../providers/builtin/voice/readOnnxWeights.ts';
import { spansOf } from '../../../../providers/builtin/voice/voiceSpans.ts';
import { testVoiceModel } from '../../../support/programs/engines.ts';

/** Results of ONNX Runtime 1.23 for `vowels` with the same file, piece by piece. */
const references = JSON.parse(await readFile(join(import.meta.dirname, 'references.json'), 'utf8')) as number[];

/** Returns syllables of a low voice, three a second, about which a detector is uncertain. */
function vowels(pieces: number): Float32Array {
  const turn = 2 * Math.PI;
  return Float32Array.from({ length: pieces * PIECE }, (_, index) => {
    const t = index / SAMPLE_RATE;
    const pitch = 120 + 20 * Math.sin(turn * 0.7 * t);
    const phase = 120 * t - (20 / (turn * 0.7)) * Math.cos(turn * 0.7 * t);
    let value = 0;
    for (let harmonic = 1; harmonic <= 20; harmonic += 1) {
      const hertz = harmonic * pitch;
      const bell = (middle: number, width: number): number => Math.exp(-(((hertz - middle) / width) ** 2));
      const strength = bell(700, 250) + 0.6 * bell(1_200, 250) + 0.2 * bell(2_600, 400);
      value += strength * Math.sin(turn * harmonic * phase);
    }
    const number = Math.round(value * Math.max(0, Math.sin(turn * 3 * t)) * 6_000);
    return Math.min(32_767, Math.max(-32_768, number)) / 32_768;
  });
}

let file: Buffer;
let network: VoiceNetwork;
beforeAll(async () => {
  file = await readFile(join(await testVoiceModel(), VOICE_FILE.name));
  network = createVoiceNetwork(readOnnx(file));
});

describe('the network', () => {
  it('gives the same probabilities as the reference', () => {
    const chances = network(vowels(references.length), initialState());
    expect(chances).toHaveLength(references.length);
    for (const [piece, chance] of references.entries()) expect(chances[piece]).toBeCloseTo(chance, 3);
  });

  it('continues where the previous samples ended', () => {
    const samples = vowels(references.length);
    const state = initialState();
    const parts = [samples.subarray(0, 7 * PIECE), samples.subarray(7 * PIECE)].map((part) => network(part, state));
    expect(parts.flatMap((part) => [...part])).toEqual([...network(samples, initialState())]);
  });

  it('ignores a remainder shorter than a piece', () => {
    expect(network(new Float32Array(PIECE - 1), initialState())).toHaveLength(0);
  });

  it('cannot be made of another file', () => {
    expect(() => createVoiceNetwork(readOnnx(file.subarray(0, 100_000)))).toThrow(RangeError);
    expect(() => createVoiceNetwork(readOnnx(Buffer.alloc(0)))).toThrow(RangeError);
    expect(() => readOnnx(Buffer.from('not a file of weights'))).toThrow(RangeError);
  });
});

describe('spansOf', () => {
  const spans = (...chances: number[]) => spansOf(Float32Array.from(chances), 0.25);

  it('begins a stretch at 0.5 and ends it below 0.35', () => {
    expect(spans(0.4, 0.6, 0.4, 0.3, 0.4, 0.1)).toEqual([{ start: 0.25, end: 0.75 }]);
  });

  it('does not end a stretch at a short pause', () => {
    expect(spans(0.9, 0.1, 0.9, 0.1, 0.1, 0.9)).toEqual([
      { start: 0, end: 0.75 },
      { start: 1.25, end: 1.5 },
    ]);
  });

  it('leaves out stretches shorter than a syllable', () => {
    expect(spansOf(Float32Array.from([0, 1, 1, 0]), 0.1)).toEqual([]);
  });
});
