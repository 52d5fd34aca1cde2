import { describe, expect, it } from '@jest/globals';
import { segmentsOf } from '../../../../providers/builtin/speech/captions.ts';
import { parseWebVtt, type Cue } from '../../../../providers/builtin/speech/webvtt.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const cue = (start: number, end: number, ...lines: string[]): Cue => ({ start, end, lines, speaker: null });
const texts = (...cues: Cue[]): string[] => segmentsOf(cues, 0).segments.map((segment) => segment.text);

describe('parseWebVtt', () => {
  it('skips the header, notes, styles and empty cues', () => {
    const vtt =
      '\ufeffWEBVTT - title\r\nKind: captions\r\n\r\nNOTE 00:01 is no cue\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nid\r\n00:01.000 --> 00:02.000\r\nДа\r\n\r\n00:05.000 --> 00:04.000\r\nназад\r\n\r\n00:06.000 --> 00:07.000\r\n\r\n1:00:08.250 --> 1:00:09.000\r\nЧас';
    expect(parseWebVtt(vtt)).toEqual([
      { start: 1, end: 2, lines: ['Да'], speaker: null },
      { start: 5, end: 4, lines: ['назад'], speaker: null },
      { start: 3608.25, end: 3609, lines: ['Час'], speaker: null },
    ]);
  });

  it('removes tags, word times, override codes, entities, musical notes and dialogue dashes', () => {
    const [found] = parseWebVtt(
      '00:01.000 --> 00:02.000\n{\\an8}<c.yellow>Раз</c><00:01.500> два &lt;три&gt;&nbsp;&#33;\n- ♪ Четыре ♪',
    );
    expect(found?.lines).toEqual(['Раз два <три> !', 'Четыре']);
  });
});

describe('segmentsOf', () => {
  it('unrolls rolling captions', () => {
    expect(
      texts(cue(0, 2, 'раз два три'), cue(2, 4, 'раз два три', 'четыре пять'), cue(4, 6, 'четыре пять', 'шесть семь')),
    ).toEqual(['раз два три', 'четыре пять', 'шесть семь']);
  });

  it('unrolls captions that grow word by word', () => {
    expect(texts(cue(0, 1, 'раз'), cue(1, 2, 'раз два'), cue(2, 3, 'раз два три'))).toEqual(['раз', 'два', 'три']);
  });

  it('keeps words that were really said twice', () => {
    expect(texts(cue(0, 1, 'Нет.'), cue(1.5, 2, 'Нет.'))).toEqual(['Нет.', 'Нет.']);
    expect(texts(cue(0, 1, 'Ты где.'), cue(1, 2, 'Где. Дома.'))).toEqual(['Ты где.', 'Где. Дома.']);
    expect(texts(cue(1, 3, 'I love you'), cue(3, 5, 'love you too'))).toEqual(['I love you', 'love you too']);
  });

  it('keeps the repeated words of subtitles that follow with the usual pause', () => {
    expect(texts(cue(1, 3, 'I love you'), cue(3.1, 5, 'I love you too'))).toEqual(['I love you', 'I love you too']);
  });

  it('keeps what another speaker repeats', () => {
    const said = (start: number, speaker: string): Cue => ({ ...cue(start, start + 2, 'Мы едем'), speaker });
    expect(texts(said(0, 'Анна'), said(2, 'Борис'))).toEqual(['Мы едем', 'Мы едем']);
  });

  it('unrolls captions that overlap, that are a frame apart, and whose lines are broken elsewhere', () => {
    expect(texts(cue(0, 3, 'раз два'), cue(2, 5, 'раз два', 'три'))).toEqual(['раз два', 'три']);
    expect(texts(cue(0, 2, 'раз два'), cue(2.01, 4, 'раз два', 'три'))).toEqual(['раз два', 'три']);
    expect(texts(cue(0, 2, 'раз два', 'три'), cue(2, 4, 'раз', 'два три', 'четыре'))).toEqual([
      'раз два три',
      'четыре',
    ]);
  });

  it('counts cues without a duration as dropped', () => {
    const found = segmentsOf(parseWebVtt('00:01.000 --> 00:01.000\nмиг\n\n00:02.000 --> 00:03.000\nДа.'), 0);
    expect(found.segments.map((segment) => segment.text)).toEqual(['Да.']);
    expect(found.dropped).toBe(1);
  });

  it('extends a repeated cue instead of repeating it', () => {
    expect(segmentsOf([cue(0, 1, 'раз два'), cue(1, 3, 'раз два')], 0).segments).toEqual([
      { start: 0, end: 3, text: 'раз два', speaker: null },
    ]);
  });

  it('keeps every cue as a segment with its own times', () => {
    expect(segmentsOf([cue(0.5, 2.5, 'Мы шли'), cue(3, 5, 'домой.')], 10).segments).toEqual([
      { start: 0.5, end: 2.5, text: 'Мы шли', speaker: null },
      { start: 3, end: 5, text: 'домой.', speaker: null },
    ]);
  });

  it('orders cues, ends them with the medium, and counts sounds and later cues as dropped', () => {
    const found = segmentsOf(
      [cue(8, 20, 'конец'), cue(1, 2, 'Начало.'), cue(3, 4, '[смех]'), cue(30, 31, 'после')],
      10,
    );
    expect(found.segments).toEqual([
      { start: 1, end: 2, text: 'Начало.', speaker: null },
      { start: 8, end: 10, text: 'конец', speaker: null },
    ]);
    expect(found.dropped).toBe(2);
  });

  it('handles hostile files without quadratic time', async () => {
    const cueHead = '00:01.000 --> 59:59.000\n';
    const hostile = [
      '<'.repeat(500_000),
      '{\\'.repeat(250_000),
      '[a] '.repeat(100_000) + 'x',
      'а '.repeat(250_000),
      '<v '.repeat(150_000),
      '&#'.repeat(250_000),
      'a\n'.repeat(250_000),
    ];
    const parseAll = () => hostile.forEach((body) => segmentsOf(parseWebVtt(cueHead + body), 0));
    expect(await cpuMsOf(parseAll)).toBeLessThan(60_000); // a quadratic algorithm takes hours
  });
});
