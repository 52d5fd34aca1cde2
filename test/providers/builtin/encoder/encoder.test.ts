import { copyFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadEncoder, MAX_CHARACTERS, type Encoder } from '../../../../providers/builtin/encoder/encoder.ts';
import { ENCODER_FILE_NAMES } from '../../../../providers/builtin/encoder/encoderFiles.ts';
import { readNpz } from '../../../../providers/builtin/encoder/npz.ts';
import { createTokeniser, type Tokeniser } from '../../../../providers/builtin/encoder/tokeniser.ts';
import { testSentenceEncoder } from '../../../support/programs/engines.ts';

interface Reference {
  text: string;
  ids: number[];
  vector: number[];
}

/**
 * Results of the package itself (0.2.1 on Python 3.11, numpy 2): `USE().encode(text)`, rounded to four places, and
 * the ids of its tokenizer.
 */
const references = JSON.parse(await readFile(join(import.meta.dirname, 'references.json'), 'utf8')) as Reference[];

let folder: string;
let encode: Encoder;
let tokenise: Tokeniser;

beforeAll(async () => {
  folder = await testSentenceEncoder();
  encode = loadEncoder(folder);
  tokenise = createTokeniser(await readFile(join(folder, 'sp.model')));
});

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const dot = (x: ArrayLike<number>, y: ArrayLike<number>): number =>
    Array.from(x).reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

describe('the sentence encoder', () => {
  it.each(references.map(({ text, ...rest }) => [text.slice(0, 40), { text, ...rest }] as const))(
    'reads %j like the original',
    (_, { text, ids, vector }) => {
      expect(tokenise(text)).toEqual(ids);
      const found = encode(text);
      expect(found.isCut).toBe(false);
      expect(cosine(found.vector, vector)).toBeGreaterThan(0.999999);
      expect(Math.hypot(...found.vector)).toBeCloseTo(1, 5);
    },
  );

  it('splits words like the original wherever they stand, and also when it remembers them', () => {
    const sentences = references.filter(({ text }) => text.endsWith('.') && text.length > 1);
    expect(sentences.length).toBeGreaterThan(1);
    const text = sentences.map((sentence) => sentence.text).join(' ');
    const ids = sentences.flatMap((sentence) => sentence.ids.slice(1, -1));
    for (const read of [tokenise, tokenise]) expect(read(text).slice(1, -1)).toEqual(ids);
  });

  it('gives the same result after longer and shorter texts', () => {
    const text = 'Трамвай вернулся в депо после ремонта.';
    const { vector } = encode(text);
    encode('Длинный текст о трамваях и депо. '.repeat(60));
    expect(encode(text).vector).toEqual(vector);
    encode('я');
    expect(encode(text).vector).toEqual(vector);
  });

  it('reads 1,024 pieces of a text, with the end mark as the last one', () => {
    const start = 'слово '.repeat(1_022);
    const whole = encode(start);
    expect(whole.isCut).toBe(false);
    expect(encode(`${start} ещё одно`)).toEqual({ vector: whole.vector, isCut: true });
    expect(encode('x'.repeat(MAX_CHARACTERS + 1)).isCut).toBe(true);
  });

  it('finds in one language what is said in another', () => {
    const query = encode('как приготовить борщ').vector;
    const near = cosine(query, encode('Beetroot soup recipe').vector);
    const far = cosine(query, encode('The tram is back in the depot').vector);
    expect(near).toBeGreaterThan(far + 0.2);
  });
});

describe('files that differ from those of the package', () => {
  let copy: string;
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'attune-encoder-'));
    for (const name of ENCODER_FILE_NAMES) await copyFile(join(folder, name), join(copy, name));
  });
  afterAll(() => rm(copy, { recursive: true }));

  it('are refused with an error that names the file but not the folder', async () => {
    await truncate(join(copy, 'weights.npz'), 1_000_000);
    expect(() => loadEncoder(copy)).toThrow(/^weights\.npz has the hash [0-9a-f]{64}, not /);
    await rm(join(copy, 'sp.model'));
    expect(() => loadEncoder(copy)).toThrow(/^sp\.model cannot be read \(ENOENT\)$/);
  });

  it('are refused if a part is missing or of another kind', async () => {
    const weights = await readFile(join(folder, 'weights.npz'));
    expect(() => readNpz(weights).floats('nothing')).toThrow('there is no array nothing');
    expect(() => readNpz(weights).floats('q1')).toThrow('the array q1 has the type |u1, not <f4');
    expect(() => readNpz(weights.subarray(0, 1_000))).toThrow('is not a zip file');
    expect(() => createTokeniser(Buffer.from('not a model'))).toThrow(RangeError);
  });
});
