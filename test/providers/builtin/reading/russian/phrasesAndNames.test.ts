import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Reader } from '../../../../../providers/builtin/reading/common/types.ts';
import { loadRussian } from '../../../../../providers/builtin/reading/russian/phrasesAndNames.ts';
import { testTextReaders } from '../../../../support/programs/engines.ts';

let reader: Reader;
beforeAll(async () => {
  const { russianNetworks: networks, russianWords: words } = await testTextReaders();
  if (networks === null || words === null) throw new Error('the Russian files are missing');
  reader = loadRussian({ networks, words });
});

const phrasesOf = (text: string): string[] => [...new Set(reader.read(text).phrases.map((phrase) => phrase.text))];
const namesOf = (text: string): string[] => reader.read(text).names.map(({ type, name }) => `${type} ${name}`);

describe('Russian names', () => {
  it('are not half declined', () => {
    expect(namesOf('Компания «Беломорские линии» вернёт деньги.')).toEqual(['organization Беломорские линии']);
    expect(namesOf('Тренер «Зенита» пришёл из Казанского федерального университета.')).toEqual([
      'organization Зенит',
      'organization Казанский федеральный университет',
    ]);
  });

  it('do not include the word by which a text calls a party to a contract', () => {
    const names = namesOf(
      'АО «Приладожский банк» (далее — Банк) уведомляет клиентов. Банк вправе приостановить операцию. Споры рассматривает суд по месту нахождения Банка.',
    );
    expect(names.join('; ')).not.toMatch(/ Банка?(?:;|$)/);
  });

  it('do not include ordinary words at the start of a title', () => {
    expect(namesOf('Технолог пекарни')).toEqual([]);
    expect(namesOf('Верховный суд отменил приговор.')).toEqual(['organization Верховный суд']);
    expect(namesOf('Экструдированный пенополистирол не боится влаги.')).toEqual([]);
  });

  it('of embankments named after somebody keep the word for an embankment', () => {
    expect(namesOf('Концерт пройдёт на набережной Гагарина.')).toEqual(['place набережная Гагарина']);
    expect(namesOf('Они гуляли по набережной Невы.')).toEqual(['place Нева']);
  });

  it('of film studios are organisations', () => {
    expect(namesOf('Он всю жизнь проработал на Леннаучфильме.')).toEqual(['organization Леннаучфильм']);
  });
});

it('Russian noun phrases keep the capital of a word that is only a name', () => {
  const phrases = phrasesOf('Рюкзак «Хибины 65» рассчитан на неделю похода.');
  expect(phrases).not.toContain('хибины');
  expect(phrases).toContain('рюкзак');
});
