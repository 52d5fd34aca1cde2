import { describe, expect, it } from '@jest/globals';
import { entitiesOf, type Entity } from '../../../../providers/builtin/summary/entities.ts';
import type { Name } from '../../../../providers/builtin/reading/common/types.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';
import { beginningOf, hideContacts } from '../../../../providers/builtin/text/hideContacts.ts';

const entities = (text: string): Entity[] => entitiesOf([{ text, names: null }]);
const of = (type: Entity['type'], text: string): string[] =>
  entities(text)
    .filter((entity) => entity.type === type)
    .map((entity) => entity.name);

describe('the search for entities without a reader', () => {
  it('takes linear time for a table of numbers', async () => {
    expect(await cpuMsOf(() => entities('111 '.repeat(50_000)))).toBeLessThan(1_000);
  });

  it('leaves out a link that the end of the searched text cuts, because it might be cut within its user info', () => {
    const link = 'https://jane.doe:secret@example.org/';
    expect(of('url', `${'слово '.repeat(40_000).slice(0, 199_980)} ${link}`)).toEqual([]);
  });

  it('takes linear time for a link with many dots', async () => {
    expect(await cpuMsOf(() => entities(`https://${'.'.repeat(100_000)}x`))).toBeLessThan(1_000);
  });

  it.each([
    ['Премьера 12 марта 2024 года в кино', '12 марта 2024 года'],
    ['До 5 мая', '5 мая'],
    ['от 12.03.2024', '12.03.2024'],
    ['since 2024-03-12.', '2024-03-12'],
    ['on March 12, 2024', 'March 12, 2024'],
    ['on 12 March 2024', '12 March 2024'],
    ['on the 3rd of July', '3rd of July'],
    ['в марте 1999 года', 'марте 1999 года'],
    ['в 1812 году', '1812 году'],
    ['born in 1985.', '1985'],
  ])('finds the date in %j', (text, date) => {
    expect(of('date', text)).toEqual([date]);
  });

  it.each([
    ['Компания «Рога и копыта» растёт.', 'Компания «Рога и копыта»'],
    ['Банк «Открытие» закрыт.', 'Банк «Открытие»'],
    ['Он владел холдингом «Рога».', 'холдингом «Рога»'],
    ['Издательство «Наука» переехало.', 'Издательство «Наука»'],
    ['Там Санкт-Петербургский университет.', 'Санкт-Петербургский университет'],
  ])('finds the organisation in %j', (text, name) => {
    expect(of('organization', text)).toEqual([name]);
  });

  it.each(['версия 12.13.2024', '45.03.2024', 'март не близко', '2024 рубля', 'may be', 'номер 1999'])(
    'finds no date in %j',
    (text) => {
      expect(of('date', text)).toEqual([]);
    },
  );

  it.each([
    ['стоит 1 500 руб. в месяц', '1 500 руб.'],
    ['за 5 млн рублей', '5 млн рублей'],
    ['$1,500.50 each', '$1,500.50'],
    ['€20', '€20'],
    ['100 USD', '100 USD'],
    ['20 тыс. долларов США', '20 тыс. долларов США'],
    ['990 ₽', '990 ₽'],
    ['$4.5 million plan', '$4.5 million'],
    ['за 3 гривны', '3 гривны'],
    ['5 триллионов рублей долга', '5 триллионов рублей'],
  ])('finds the sum in %j', (text, sum) => {
    expect(of('money', text)).toEqual([sum]);
  });

  it.each(['5 рубашек', '20 рублёвка', '100 домов', '12 европейцев'])('finds no sum in %j', (text) => {
    expect(of('money', text)).toEqual([]);
  });

  it('shows links without their query, which may contain a key or an address', () => {
    expect(of('url', 'Смотрите https://example.org/a/b?token=secret#x, и www.example.com.')).toEqual([
      'https://example.org/a/b',
      'www.example.com',
    ]);
    expect(of('url', 'https://user:pass@example.org/')).toEqual([]);
  });

  it.each([
    ['Роман А. С. Пушкина читают все', 'А. С. Пушкина'],
    ['Вчера выступил Лев Толстой.', 'Лев Толстой'],
    ['Профессор А. С. Иванов пришёл', 'А. С. Иванов'],
    ['Приказ подписал Иванов И. И. вчера', 'Иванов И. И.'],
    ['The novel of J. R. R. Tolkien sold well', 'J. R. R. Tolkien'],
    ['a song by Ludwig van Beethoven', 'Ludwig van Beethoven'],
    ['Когда Мария Кюри уехала', 'Мария Кюри'],
  ])('finds the name in %j', (text, name) => {
    expect(of('person', text)).toEqual([name]);
  });

  it.each(['Сегодня хорошая погода.', 'ГЛАВНЫЕ НОВОСТИ ДНЯ', 'Мы едем домой. Потом обедаем.'])(
    'finds no name in %j',
    (text) => {
      expect(of('person', text)).toEqual([]);
    },
  );

  it('finds organisations and does not repeat them as names', () => {
    const text =
      'ООО «Рога и Копыта» судится с Acme Widgets Inc. и University of Oxford. Помог Московский государственный университет.';
    expect(of('organization', text)).toEqual([
      'ООО «Рога и Копыта»',
      'Acme Widgets Inc.',
      'University of Oxford',
      'Московский государственный университет',
    ]);
    expect(of('person', text)).toEqual([]);
  });

  it('never shows an e-mail address, a user name or a telephone number', () => {
    const text =
      'Пишите Ivan.Petrov@example.org, @Ivan_Petrov, звоните +7 (495) 123-45-67, 8 800 555 35 35, тел. 12-34-56 или 79161234567.';
    const shown = JSON.stringify(entities(text));
    for (const secret of ['Petrov', 'example.org', '123-45', '555', '12-34', '7916'])
      expect(shown).not.toContain(secret);
  });

  it.each(['https://wa.me/79161234567', 'https://t.me/+79161234567', 'https://shop.example/ask/ivan%40example.org'])(
    'does not show %s, which contains a contact',
    (link) =>
      expect(of('url', `Пишите: ${link} или https://shop.example/1234567890`)).toEqual([
        'https://shop.example/1234567890',
      ]),
  );

  it('lists each entity once and at most fifty', () => {
    expect(of('date', '12 марта и снова 12 Марта')).toEqual(['12 марта']);
    const years = Array.from({ length: 90 }, (_, index) => `в ${1900 + index} году`).join(', ');
    expect(entities(years)).toHaveLength(50);
  });

  it.each([
    ['a laugh in capitals', `ХА${'-ХА'.repeat(26)}`],
    ['a chain of capitalised words', 'Bb’'.repeat(10_000)],
    ['accents behind capitals', 'A\u0301'.repeat(4_000)],
  ])('takes little time for %s', async (_name, text) => {
    let found: unknown;
    expect(await cpuMsOf(() => (found = entities(text)))).toBeLessThan(1_000);
    expect(found).toEqual([]);
  });
});

describe('the entities of a text with a reader', () => {
  const name = (type: Name['type'], text: string): Name => ({ type, name: text, start: 0 });
  const namesOf = (names: Name[]) => entitiesOf([{ text: 'Анна Иванова уехала 12 марта.', names }]);

  it('are the names that it found, most frequent first, and those that rules find', () => {
    expect(namesOf([name('place', 'Тверь'), name('person', 'Олег Орлов'), name('person', 'Олег Орлов')])).toEqual([
      { type: 'person', name: 'Олег Орлов' },
      { type: 'place', name: 'Тверь' },
      { type: 'date', name: '12 марта' },
    ]);
  });

  it('list everybody once, by the full name', () => {
    const names = [name('person', 'Рустам Галеев'), name('person', 'Галеев'), name('place', 'Галеев')];
    expect(namesOf(names).filter(({ type }) => type !== 'date')).toEqual([{ type: 'person', name: 'Рустам Галеев' }]);
    const faith = [name('person', 'Вера Павловна Лунина'), name('person', 'Вера Павловна')];
    expect(namesOf(faith)).not.toContainEqual({ type: 'person', name: 'Вера Павловна' });
    const marsh = [name('organization', 'Eleanor Marsh'), name('person', 'Marsh')];
    expect(namesOf(marsh)).toContainEqual({ type: 'person', name: 'Eleanor Marsh' });
  });

  it.each([
    ['Уравнение Шрёдингера', 'person', 'Шрёдингера', 'Эрвин Шрёдингер'],
    ['Вместе с Пастернаком', 'person', 'Пастернаком', 'Борис Пастернак'],
  ] as const)('merge a surname in another case with the full name: %s', (_, type, part, whole) => {
    const found = namesOf([name(type, part), name('person', whole)]);
    expect(found.filter((each) => each.type !== 'date')).toEqual([{ type: 'person', name: whole }]);
  });

  it.each([
    ['a woman and a man with that first name', 'person', 'Александра', 'Александр Пушкин'],
    ['a woman and a man, surname first', 'person', 'Александра', 'Пушкин Александр'],
    ['a woman and a man with that first name', 'person', 'Валентина', 'Валентин Серов'],
    ['a wife and her husband', 'person', 'Петрова', 'Иван Петров'],
    ['a wife and her husband', 'person', 'Пушкина', 'Александр Пушкин'],
    ['a place and a person', 'place', 'Кирова', 'Сергей Киров'],
    ['a place and a person', 'place', 'Шрёдингера', 'Эрвин Шрёдингер'],
  ] as const)('list both, %s: %s %s, %s', (_, type, part, whole) => {
    const found = namesOf([name(type, part), name('person', whole)]);
    expect(found.filter((each) => each.type !== 'date')).toEqual([
      { type, name: part },
      { type: 'person', name: whole },
    ]);
  });

  it('contain no product as a person', () => {
    const names = [{ type: 'person' as const, name: 'Обзор Framework Laptop', start: 0 }];
    expect(entitiesOf([{ text: 'Обзор Framework Laptop 13', names }])).toEqual([]);
  });

  it('contain no remains of contact data', () => {
    expect(namesOf([name('person', '@ivan'), name('person', 'a•••'), name('place', '—')])).toHaveLength(1);
  });
});

describe('hideContacts', () => {
  it('keeps the length and ordinary numbers', () => {
    const text = 'Почта a.b@example.com, тел. +7 916 123-45-67; 12 345 678 рублей; 2024 год';
    const hidden = hideContacts(text);
    expect(hidden).toHaveLength(text.length);
    expect(hidden).not.toMatch(/example|916/);
    expect(hidden).toContain('12 345 678 рублей; 2024 год');
  });

  it.each(['12.03.2024 18:00', '2024-03-12 18:30', '12.03.2024 - 15.03.2024', '1 500 000 000 рублей'])(
    'keeps %j, and hides a number after it',
    (text) => {
      expect(hideContacts(`${text}, 8 800 555 35 35`)).toBe(`${text}, •••••••••••••••`);
    },
  );

  it.each([
    '8 916 123\u201345\u201367',
    '8 916 123\u201145\u201167',
    '+7\u202f916\u202f123\u202f45\u202f67',
    '8\u2009(495)\u2009123\u201345\u201367',
    'ivan\uff20example.com',
    'и\u0306ван@example.com',
  ])('hides %j', (contact) => {
    expect(hideContacts(`Это ${contact}.`)).toBe(`Это ${'•'.repeat(contact.length)}.`);
  });

  it('hides a telephone number directly after т.', () => {
    expect(hideContacts('т.89161234567')).toBe('т.•••••••••••');
  });

  it.each(['тел. 123–45–67', 'Telephone: 12-34-56', 'моб. 123 45 67'])('hides the local number in %j', (text) => {
    expect(hideContacts(text)).not.toMatch(/\d/);
  });

  it.each([
    '100 000–150 000 ₽',
    '1 500 000–2 000 000 рублей',
    'в 2019–2020, 2021–2022 годах',
    '1941–1945',
    'Hotel 2019–2020',
    'iPhone 14–15 Pro',
    'Smartphone 2019–2020',
  ])('keeps the range %j', (text) => {
    expect(hideContacts(text)).toBe(text);
  });

  it('hides addresses that follow each other', () => {
    expect(hideContacts('a@b.ccd@e.ff, (x+y@z.org)')).toBe('••••••••••••, (•••••••••)');
  });

  it('takes little time for millions of letters and an @', async () => {
    expect(await cpuMsOf(() => hideContacts(`${'a'.repeat(5_000_000)}@`))).toBeLessThan(1_000);
  });
});

describe('beginningOf', () => {
  it.each([
    ['Пишите petrov@example.com сегодня', 'Пишите '],
    ['Пишите +7 916 123-45-67, сегодня', 'Пишите '],
    ['Это a@b.cc, и petrov@example.com', 'Это a@b.cc, и '],
    ['Пишите нам письма и звоните нам', 'Пишите нам письма и '],
    ['Пишите нам письма😀😀😀😀😀😀😀😀', 'Пишите нам письма😀'],
  ])('does not end %j within a contact or a character', (text, beginning) => {
    expect(beginningOf(text, 20)).toBe(beginning);
  });
});
