import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { DIMENSION, embedText } from '../../../../providers/builtin/embedding/embed.ts';
import { hash32 } from '../../../../domain/hash32.ts';

function vector(text: string): Float32Array {
  const made = embedText(text);
  if (made === null) throw new Error('no vector');
  return made;
}

function cosine(a: string, b: string): number {
  const other = vector(b);
  return vector(a).reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
}

describe('embedText', () => {
  it('makes unit vectors of 384 numbers', () => {
    for (const text of ['Привет', 'a', 'To be or not to be', '12345', '🙂', 'слово '.repeat(10_000)]) {
      expect(vector(text)).toHaveLength(DIMENSION);
      expect(Math.hypot(...vector(text))).toBeCloseTo(1, 5);
    }
  });

  it('has no vector for white space', () => {
    expect(embedText('')).toBeNull();
    expect(embedText(' \n\t')).toBeNull();
  });

  it.each([
    ['Выставка старинных книг', 'выставки старинной книги'],
    ['Ёлка во дворе', 'елки во дворах'],
    ['learning machines', 'Machine learning'],
  ])('treats inflections as the same words: %s, %s', (a, b) => {
    expect(cosine(a, b)).toBeGreaterThan(0.95);
  });

  it.each([
    ['Как выбрать горный велосипед', 'Советы по выбору велосипеда для гор', 'Рецепт борща со свёклой и говядиной'],
    ['Тренировка ног в спортзале', 'Упражнения для ног: тренировка дома', 'История древнего Рима'],
    ['How to bake sourdough bread at home', 'Sourdough bread: baking tips', 'Stock markets fell on Monday'],
    ['Обзор смартфона Pixel 8', 'Смартфон Pixel: камера и батарея', 'Как посадить яблоню осенью'],
  ])('puts %s nearer to %s than to %s', (text, related, unrelated) => {
    expect(cosine(text, related)).toBeGreaterThan(cosine(text, unrelated) + 0.15);
  });

  it('puts a misspelt word nearer than another word', () => {
    expect(cosine('велосипед', 'велосепед')).toBeGreaterThan(cosine('велосипед', 'холодильник') + 0.1);
  });

  it('keeps unrelated texts apart: no pair of ten subjects comes near', () => {
    const subjects = [
      'рецепт борща',
      'ремонт двигателя',
      'игра на гитаре',
      'уход за орхидеями',
      'курс доллара',
      'щенки лабрадора',
      'налоговый вычет',
      'восхождение на гору',
      'вязание спицами',
      'чёрные дыры',
    ];
    const near = subjects.flatMap((a) => subjects.filter((b) => a !== b && cosine(a, b) > 0.35).map((b) => [a, b]));
    expect(near).toEqual([]);
  });

  it('does not let function words make texts alike', () => {
    expect(cosine('это не то, что мы и вы думали о борще', 'это не то, что мы и вы слышали про гитару')).toBeLessThan(
      0.35,
    );
  });

  it('weighs a word by the logarithm of its count, so that repetition does not drown the rest', () => {
    expect(cosine('кот '.repeat(100) + 'собака', 'собака')).toBeGreaterThan(0.15);
  });

  it('makes the recorded vector, in this process and in another one', () => {
    const text = 'Детерминированный вектор: deterministic vector 42';
    const here = createHash('sha256')
      .update(Buffer.from(vector(text).buffer))
      .digest('hex');
    const module = fileURLToPath(new URL('../../../../providers/builtin/embedding/embed.ts', import.meta.url));
    const script = `import { embedText } from ${JSON.stringify(module)}; import { createHash } from 'node:crypto';
      process.stdout.write(createHash('sha256').update(Buffer.from(embedText(${JSON.stringify(text)}).buffer)).digest('hex'));`;
    const there = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
      encoding: 'utf8',
      env: { NODE_NO_WARNINGS: '1' },
    });
    expect(there).toBe(here);
    expect(here).toBe('33d86ecb82485491fc2a177c42215cdabe5cab8e4b9ebe837f5855fcdd921a7b');
  });
});

describe('hash32', () => {
  it('spreads keys evenly over the places and signs', () => {
    const places = new Float64Array(DIMENSION);
    let negative = 0;
    for (let key = 0; key < 38_400; key += 1) {
      const hash = hash32(`key ${key}`);
      places[hash % DIMENSION] = (places[hash % DIMENSION] ?? 0) + 1;
      negative += hash >>> 31;
    }
    // Poisson with mean 100: six standard deviations.
    expect(Math.min(...places)).toBeGreaterThan(40);
    expect(Math.max(...places)).toBeLessThan(160);
    expect(Math.abs(negative / 38_400 - 0.5)).toBeLessThan(0.02);
  });

  it('depends on the seed and on both bytes of a character', () => {
    expect(hash32('a')).not.toBe(hash32('a', 1));
    expect(hash32('\u0161')).not.toBe(hash32('a'));
  });
});
