import { describe, expect, it } from '@jest/globals';
import { splitSentences } from '../../../../providers/builtin/text/sentences.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const texts = (text: string): string[] => splitSentences(text).map((sentence) => sentence.text);

describe('splitSentences', () => {
  it('splits at full stops, question and exclamation marks and ellipses', () => {
    expect(texts('Пришла весна. Тает снег! Где грачи? Летят… Скоро тепло.')).toEqual([
      'Пришла весна.',
      'Тает снег!',
      'Где грачи?',
      'Летят…',
      'Скоро тепло.',
    ]);
  });

  it.each([
    'Встреча пройдёт на ул. Ленина, д. 5, кв. 12 в понедельник.',
    'Это важно, т. е. обязательно, и т.е. всегда.',
    'Роман написал А. С. Пушкин в деревне.',
    'Директор школы Н. В. Орлова',
    'Лекцию прочёл проф. Иванов из г. Москва.',
    'Цена выросла до 500 руб. за штуку.',
    'Премия им. Чехова вручена вчера.',
    'Купили хлеб, молоко и т. д. по списку.',
    'Построен в 1812 г. по проекту архитектора.',
    'Dr. Smith met Mr. J. R. R. Tolkien at 5 p.m. near the station.',
    'The U.S. Army bought it, e.g. Tents and boots.',
    'Версия 3.5 вышла раньше, чем 4.0 и 4.1.',
  ])('keeps together: %s', (sentence) => {
    expect(texts(sentence)).toEqual([sentence]);
  });

  it.each([
    ['Купили хлеб, молоко и т. д. Потом ушли домой.', 2],
    ['Дом построен в 1812 г. Архитектор неизвестен.', 2],
    ['Билет стоил 500 руб. Мы купили два.', 2],
    ['Пришли Маша, Петя и др. Все сели за стол.', 2],
    ['He works for Acme Inc. She does not.', 2],
    ['It was you and I. Nobody else came.', 2],
    ['Он сказал: «Поехали!» Машина тронулась.', 2],
    ['Думаю о нем. Потом забываю.', 2],
  ])('splits after an abbreviation that ends a sentence: %s', (text, count) => {
    expect(texts(text)).toHaveLength(count);
  });

  it('ends sentences at headings, list items and blank lines, but not at a wrapped line', () => {
    expect(texts('Состав\nМука и вода\n\n- соль\n- дрожжи')).toEqual(['Состав', 'Мука и вода', '- соль', '- дрожжи']);
    expect(texts('Длинная строка которую перенесла почтовая программа\nпродолжается здесь.')).toHaveLength(1);
  });

  it('joins the lines of a poem into sentences', () => {
    const poem = [
      'I count the ships, I count the bells,',
      'I write the weather in the book;',
      "The keeper's life is full of spells",
      'Of waiting for another look.',
      '',
      'And when at last the morning breaks',
      'And gulls go crying down the shore,',
      'I dim the light.',
    ].join('\n');
    expect(texts(poem)).toEqual([
      "I count the ships, I count the bells, I write the weather in the book; The keeper's life is full of spells Of waiting for another look.",
      'And when at last the morning breaks And gulls go crying down the shore, I dim the light.',
    ]);
    const list = 'Sleeping bag\nHead torch\nDown jacket\nMap and compass\nFirst aid kit';
    expect(texts(list)).toHaveLength(5);
  });

  it.each([
    'Ingredients:\nFlour\nSugar\nEggs\nMethod:\nMix the flour, eggs,',
    'Anna:\nHi there, friend,\nBob:\nHello',
    'В номере:\nВыборы мэра\nРемонт моста,\nПогода',
  ])('does not take a list, a chat or a form for a poem: %j', (text) =>
    expect(texts(text)).toHaveLength(text.split('\n').length),
  );

  it('splits text without punctuation and keeps offsets', () => {
    const text = `  ${'слово '.repeat(400)}`;
    const found = splitSentences(text);
    expect(found.length).toBeGreaterThan(3);
    for (const { text: sentence, start } of found) {
      expect(sentence.length).toBeLessThanOrEqual(500);
      expect(text.slice(start, start + 5)).toBe('слово');
    }
    expect(found.map((sentence) => sentence.text).join(' ')).toBe(text.trim());
  });

  it('never splits a surrogate pair and never returns an empty sentence', () => {
    for (const { text } of splitSentences('🙂'.repeat(1_001))) expect(text.isWellFormed()).toBe(true);
    expect(splitSentences(' \n\n . \n')).toEqual([{ text: '.', start: 4 }]);
    expect(splitSentences('')).toEqual([]);
  });

  it('takes linear time for lines of other white space', async () => {
    const lines = `${'\u00a0\n'.repeat(100_000)}${'ab, b c,\n\u00a0\n'.repeat(20_000)}`;
    expect(await cpuMsOf(() => splitSentences(lines))).toBeLessThan(1_500);
  });
});
