import { describe, expect, it } from '@jest/globals';
import type { TranscribedSegment } from '../../../../providers/openai/speech/speechAnswer.ts';
import { dropHallucinations } from '../../../../providers/openai/speech/speechFilter.ts';

const LOUD = { durationSec: 100, levels: Array.from({ length: 100 }, () => -20), silences: [], voices: null };

const segment = (text: string, measures: Partial<TranscribedSegment> = {}): TranscribedSegment => ({
  start: 0,
  end: 5,
  text,
  speaker: null,
  noSpeechProb: 0.01,
  avgLogprob: -0.3,
  compressionRatio: 1.3,
  ...measures,
});
const kept = (...segments: TranscribedSegment[]): string[] =>
  dropHallucinations(segments, LOUD).map(({ text }) => text);

describe('hallucinated speech', () => {
  it.each<[string, Partial<TranscribedSegment>, boolean]>([
    ['no_speech_prob at its limit', { noSpeechProb: 0.6 }, true],
    ['no_speech_prob over it', { noSpeechProb: 0.61 }, false],
    ['avg_logprob at its limit', { avgLogprob: -1 }, true],
    ['avg_logprob under it', { avgLogprob: -1.01 }, false],
    ['compression_ratio at its limit', { compressionRatio: 2.4 }, true],
    ['compression_ratio over it', { compressionRatio: 2.41 }, false],
    ['no measures at all', { noSpeechProb: null, avgLogprob: null, compressionRatio: null }, true],
  ])('is judged by %s', (_, measures, isKept) => {
    expect(kept(segment('Добрый день, начинаем.', measures))).toHaveLength(isKept ? 1 : 0);
  });

  it.each<[string, Partial<TranscribedSegment>, boolean]>([
    ['no_speech_prob alone, which covers the music before it', { noSpeechProb: 0.9 }, true],
    ['avg_logprob alone', { avgLogprob: -1.2 }, true],
    ['both', { noSpeechProb: 0.61, avgLogprob: -1.01 }, false],
    ['compression_ratio', { compressionRatio: 2.41 }, false],
  ])('is judged, where a voice was detected, by %s', (_, measures, isKept) => {
    const heard = { ...LOUD, voices: [{ start: 1, end: 6 }] };
    expect(dropHallucinations([segment('Добрый день, начинаем.', measures)], heard)).toHaveLength(isKept ? 1 : 0);
  });

  it('is judged by no_speech_prob alone where the voice is elsewhere', () => {
    const elsewhere = { ...LOUD, voices: [{ start: 4.6, end: 30 }] };
    expect(dropHallucinations([segment('Добрый день, начинаем.', { noSpeechProb: 0.9 })], elsewhere)).toEqual([]);
    expect(dropHallucinations([segment('Добрый день, начинаем.')], elsewhere)).toHaveLength(1);
  });

  it.each<[string, Partial<TranscribedSegment>, string, boolean]>([
    ['the hint, where somebody may be silent', { noSpeechProb: 0.4 }, 'Анна Бергер.', false],
    ['the hint, where somebody speaks', { noSpeechProb: 0.3 }, 'Анна Бергер.', true],
    ['a short word of the hint', { noSpeechProb: 0.4 }, 'Музей.', true],
    ['other words', { noSpeechProb: 0.4 }, 'Меня зовут Анна Бергер.', true],
  ])('may repeat the hint: %s', (_, measures, text, isKept) => {
    const hint = 'О музее, Анна Бергер';
    expect(dropHallucinations([segment(text, measures)], LOUD, hint)).toHaveLength(isKept ? 1 : 0);
  });

  it('repeats the hint if a model that states no probabilities says nothing else', () => {
    const unmeasured = { noSpeechProb: null, avgLogprob: null, compressionRatio: null };
    const echo = segment('О музее, Анна Бергер.', unmeasured);
    const hint = 'О музее, Анна Бергер';
    expect(dropHallucinations([echo], LOUD, hint)).toEqual([]);
    expect(dropHallucinations([segment('Музей.', unmeasured)], LOUD, hint)).toHaveLength(1);
    expect(dropHallucinations([echo, segment('Добрый день.', unmeasured)], LOUD, hint)).toHaveLength(2);
  });

  it('is recognised as a loop whatever ratio the server states', () => {
    expect(kept(segment('спасибо '.repeat(100), { compressionRatio: 1.2 }))).toEqual([]);
  });

  it('is recognised as a loop even without the server’s measure', () => {
    const noMeasure = { compressionRatio: null };
    expect(
      kept(
        segment('ну вот и всё '.repeat(20), noMeasure),
        segment('Обычная русская речь, в которой слова не повторяются.', noMeasure),
      ),
    ).toHaveLength(1);
  });

  it.each([
    'Субтитры сделал DimaTorzok',
    'Редактор субтитров А.Семкин Корректор А.Егорова',
    'Subtitles by the community',
  ])('always includes the credit %j', (text) => {
    expect(kept(segment('Речь идёт.'), segment(text))).toEqual(['Речь идёт.']);
  });

  it.each(['Продолжение следует...', 'Спасибо за просмотр!', 'Thanks for watching!', 'Thank you for watching'])(
    'includes the closing %j if it is alone or without a voice',
    (text) => {
      expect(kept(segment(text))).toEqual([]);
      expect(kept(segment('Речь идёт.'), segment(text, { noSpeechProb: 0.4 }))).toEqual(['Речь идёт.']);
    },
  );

  it('does not include a closing that was really said', () => {
    expect(kept(segment('На сегодня всё.'), segment('Спасибо за просмотр!'))).toHaveLength(2);
  });

  it('does not include words about subtitles', () => {
    expect(kept(segment('Субтитры можно включить в настройках.'))).toHaveLength(1);
  });

  it('includes a sentence that is repeated many times, and two that are repeated in turns', () => {
    const [a, b] = ['Мы едем, едем, едем.', 'В далёкие края, друзья.'];
    expect(kept(...Array.from({ length: 8 }, () => segment(a)))).toEqual([a, a]);
    expect(kept(...[a, b, a, b, a, b].map((text) => segment(text)))).toEqual([a, b, a, b]);
  });

  it('does not include short answers that repeat', () => {
    expect(kept(segment('Да.'), segment('Да.'), segment('Да.'))).toHaveLength(3);
  });

  it('includes words over measured silence', () => {
    const quiet = { durationSec: 10, levels: Array.from({ length: 10 }, () => -80), silences: [], voices: null };
    expect(dropHallucinations([segment('Кто-то говорит.')], quiet)).toEqual([]);
  });
});
