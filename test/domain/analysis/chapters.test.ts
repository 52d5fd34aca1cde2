import { describe, expect, it } from '@jest/globals';
import {
  acceptAuthoredChapters,
  acceptChapters,
  CHAPTER_LIMITS,
  wantsChapters,
} from '../../../domain/analysis/chapters.ts';

const cue = (start: number) => ({ start, end: start + 2, text: 'Слова', speaker: null });

describe('chapters', () => {
  it('are made for recordings of three minutes and more whose words have times', () => {
    expect(wantsChapters([cue(0), cue(90)], 180)).toBe(true);
    expect(wantsChapters([cue(0), cue(90)], 179.9)).toBe(false);
    expect(wantsChapters([cue(0), cue(90)], null)).toBe(false);
    expect(wantsChapters([cue(0)], 600)).toBe(false);
  });

  it('cover the recording from start to end, whatever the order of the proposals', () => {
    const proposed = [
      { start: 300, title: 'Третья' },
      { start: 12, title: 'Первая' },
      { start: 100.5, title: ' Вторая\n глава ' },
    ];
    expect(acceptChapters(proposed, 600)).toEqual([
      { start: 0, end: 100.5, title: 'Первая' },
      { start: 100.5, end: 300, title: 'Вторая глава' },
      { start: 300, end: 600, title: 'Третья' },
    ]);
  });

  it('are not made of proposals that lie outside, come too soon, or have no title or time', () => {
    const titled = (start: number) => ({ start, title: `С ${start}` });
    const proposed = [
      titled(0),
      titled(20),
      titled(200),
      titled(210),
      titled(595),
      titled(700),
      titled(-5),
      titled(NaN),
    ];
    const empty = [
      { start: 300, title: ' \u202e\n' },
      { start: 400, title: '' },
    ];
    expect(acceptChapters([...proposed, ...empty], 600).map(({ start }) => start)).toEqual([0, 200]);
  });

  it('are omitted if there would be only one', () => {
    expect(acceptChapters([{ start: 0, title: 'Всё' }], 600)).toEqual([]);
    expect(acceptChapters([], 600)).toEqual([]);
  });

  it('are limited in number, and their titles in length', () => {
    const proposed = Array.from({ length: 1_000 }, (_, at) => ({ start: at * 14, title: '👍'.repeat(300) }));
    const chapters = acceptChapters(proposed, 4 * 3600);
    expect(chapters.length).toBeLessThanOrEqual(CHAPTER_LIMITS.count);
    expect(chapters.length).toBeGreaterThan(CHAPTER_LIMITS.count / 2);
    for (const { title } of chapters) expect([...title]).toHaveLength(CHAPTER_LIMITS.titleLength);
    expect(chapters.at(-1)?.end).toBe(4 * 3600);
  });

  it('of the author may be short, in a short recording too, up to 200 of them', () => {
    const authored = [
      { start: 12, title: 'Bake' },
      { start: 2, title: 'Knead' },
      { start: 12, title: 'Again' },
      { start: 50, title: 'After the end' },
    ];
    expect(acceptAuthoredChapters(authored, 20)).toEqual([
      { start: 0, end: 12, title: 'Knead' },
      { start: 12, end: 20, title: 'Bake' },
    ]);
    expect(acceptAuthoredChapters([{ start: 0, title: 'The whole film' }], 20)).toEqual([]);
    const many = Array.from({ length: 300 }, (_, at) => ({ start: at * 10, title: `Part ${at}` }));
    const kept = acceptAuthoredChapters(many, 3_000);
    expect(kept).toHaveLength(200);
    expect(kept.at(-1)).toEqual({ start: 1_990, end: 3_000, title: 'Part 199' });
  });
});
