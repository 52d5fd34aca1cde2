import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createReading, type TextReader } from '../../../../providers/builtin/reading/reading.ts';
import { NO_READERS } from '../../../../providers/builtin/reading/folders.ts';
import type { CallContext } from '../../../../providers/types.ts';
import { testSentenceEncoder, testTextReaders } from '../../../support/programs/engines.ts';

const context: CallContext = { signal: new AbortController().signal, progress: () => undefined };

let reading: TextReader;
beforeAll(async () => {
  reading = createReading({ ...(await testTextReaders()), encoder: await testSentenceEncoder() });
});
afterAll(() => reading.close());

async function phrasesOf(text: string): Promise<string[]> {
  const [read] = await reading.read([text], context);
  return [...new Set(read?.phrases.map((phrase) => phrase.text))];
}

async function namesOf(text: string): Promise<string[]> {
  const [read] = await reading.read([text], context);
  return read?.names.map(({ type, name }) => `${type} ${name}`) ?? [];
}

describe('the reader of texts', () => {
  it('returns Russian noun phrases in the nominative, with dependents as they are', async () => {
    const phrases = await phrasesOf(
      'Мы изучаем торможение двигателем на спуске. Трамвай едет в новое депо. Врач говорил о прививке от гриппа. Семена замачивают в растворе марганцовки. Он купил горные лыжи и обучил нейронную сеть.',
    );
    expect(phrases).toEqual(
      expect.arrayContaining([
        'торможение двигателем',
        'трамвай',
        'депо',
        'прививка от гриппа',
        'раствор марганцовки',
        'горные лыжи',
        'нейронная сеть',
      ]),
    );
    expect(phrases.join('; ')).not.toMatch(/едет|изучаем|новое|говорил/);
  });

  it('guesses the dictionary form of Russian words that no dictionary has, by their endings', async () => {
    const phrases = await phrasesOf(
      'Глюкоза образуется в темновой фазе. Деньги собрали на краудфандинговой площадке. Он рассказал о геймдизайне и вайбкодинге. Мы довольны смузишницей.',
    );
    expect(phrases).toEqual(
      expect.arrayContaining(['темновая фаза', 'краудфандинговая площадка', 'геймдизайн', 'вайбкодинг', 'смузишница']),
    );
  });

  it('does not take the object of a participle for the noun that it describes', async () => {
    const phrases = await phrasesOf('Открыли новый мост, соединивший остров Канта с набережной Ветеранов.');
    expect(phrases.join('; ')).not.toContain('соединивший');
  });

  it('keeps the kind of a place that is named after somebody', async () => {
    expect(await namesOf('Остров соединили с набережной Ветеранов.')).toEqual(['place набережная Ветеранов']);
    expect(await namesOf('Они гуляли по набережной Невы.')).toEqual(['place Нева']);
    expect(await namesOf('Велопарад пройдёт в парке Горького.')).toEqual(['place парк Горького']);
    expect(await namesOf('Врачи гуляли в парках Москвы.')).toEqual(['place Москва']);
    expect(await namesOf('Врачи рассказали об аллергии Москвы.')).toEqual(['place Москва']);
  });

  it('returns Russian names in the nominative', async () => {
    const text =
      'Вчера директор встретился с Анной Ивановой и Рустамом Галеевым в Казани. Они представляют студентов Казанского федерального университета и Высшей школы экономики.';
    expect(await namesOf(text)).toEqual([
      'person Анна Иванова',
      'person Рустам Галеев',
      'place Казань',
      'organization Казанский федеральный университет',
      'organization Высшая школа экономики',
    ]);
  });

  it('returns no name that the end of the read text cuts', async () => {
    const before = 'Трамвай едет в депо. '.repeat(2_856).trimEnd();
    const text = `${before} Врачом стала Анна Ивановская.`;
    expect(text.slice(0, 60_000)).toMatch(/Анна Иванов$/);
    expect(await namesOf(text)).toEqual([]);
  });

  it('reads the parts of a text in two languages with their own readers', async () => {
    const english = 'The library will be closed on Monday. Books can be returned through the drop box in Leeds.';
    const russian = 'Библиотека закрыта в понедельник. Книги можно вернуть через ящик у входа, сказала Анна Иванова.';
    const phrases = await phrasesOf(`${english}\n\n${russian}`);
    expect(phrases).toEqual(expect.arrayContaining(['library', 'drop box']));
    expect(phrases.join('; ')).not.toMatch(/[а-яё]/);
    expect(await namesOf(`${english}\n\n${russian}`)).toEqual(['place Leeds', 'person Анна Иванова']);
    const code =
      'Установите пакет командой sudo apt-get install docker-ce docker-ce-cli containerd.io. Docker работает.';
    expect((await phrasesOf(code)).join('; ')).not.toMatch(/install|docker-ce/);
  });

  it('finds no names across lines, in words in capitals or with emoji', async () => {
    expect(await namesOf('Глава 10\n\nЧай пьют в Китае.')).toEqual(['place Китай']);
    const shout = 'МЕХОВАЯ ФАБРИКА «СЕВЕР» РАСПРОДАЁТ ШУБЫ ИЗ НОРКИ И МУТОНА СО СКИДКОЙ ДО 70 ПРОЦЕНТОВ.';
    expect(await namesOf(shout)).toEqual([]);
    expect(await namesOf('JOIN US THIS SATURDAY FOR TWELVE LANES AND A PIZZA BAR BEHIND THE CINEMA.')).toEqual([]);
    const names = await namesOf('Были вчера на концерте «Сплин» в Олимпийском 🎸🎤 Голос, свет, звук — всё было.');
    expect(names.join()).not.toMatch(/\p{Emoji_Presentation}/u);
    expect(names.join()).toContain('Сплин');
  });

  it('returns names with their positions, in the order of the text, when its languages alternate', async () => {
    const text = 'Анна Иванова живёт в Твери. He works in Leeds. Рустам Галеев уехал в Казань. They met in Brussels.';
    const [read] = await reading.read([text], context);
    const starts = read?.names.map(({ start }) => start) ?? [];
    expect(starts).toEqual(
      ['Анна', 'Твери', 'Leeds', 'Рустам', 'Казань', 'Brussels'].map((name) => text.indexOf(name)),
    );
  });

  it('keeps names of brands with their signs', async () => {
    expect(await namesOf('Компания Adobe® открыла офис в Москве.')).toEqual(['organization Adobe®', 'place Москва']);
  });

  it('returns names with their closing quotes, and with the particles of surnames', async () => {
    expect(await namesOf('ООО «Логистик Плюс» приглашает на работу водителя.')).toEqual([
      'organization ООО «Логистик Плюс»',
    ]);
    expect(
      await namesOf('Tim Cook met Ursula von der Leyen in Brussels on Thursday, and they talked about the taxes.'),
    ).toEqual(['person Tim Cook', 'person Ursula von der Leyen', 'place Brussels']);
  });

  it('takes no verbs, adverbs or first names for nouns', async () => {
    const text = 'Жили-были дед да баба. Не грусти, не жалей. Ели утку по-пекински. Семена помидоров замачивают.';
    const phrases = await phrasesOf(text);
    expect(phrases.join('; ')).not.toMatch(/быль|грусть|пекинск|семён/);
    expect(phrases).toContain('дед');
    expect(await phrasesOf('Маша: купи хлеба и молока.\nПетя: угу.\nМаша: и батарейки.')).not.toContain('маш');
    expect(await phrasesOf('A mammogram is an X-ray of the breast, and it takes a few minutes.')).toContain('X-ray');
    expect(
      await namesOf('Осыпается клён за окном,\nДогорает заря над рекой.\nНе зови, не грусти,\nВсё вернётся,\n'),
    ).toEqual([]);
  });

  it('takes no units or parts of numbers for words of a phrase', async () => {
    const phrases = await phrasesOf(
      'Beat 225g caster sugar with the juice of 1½ lemons. The Makita DHP484Z 18V combi drill has a USB-C port. There was a 4.1% improvement in recall.',
    );
    expect(phrases).toEqual(expect.arrayContaining(['caster sugar', 'combi drill', 'USB-C port', 'improvement']));
    expect(phrases.join('; ')).not.toMatch(/g caster|½|V combi|%|DHP/);
  });

  it('takes neither a street nor an amount for a subject', async () => {
    const phrases = await phrasesOf('Музей открыли на улице Баумана. Добавьте ложку уксуса и щепотку соли.');
    expect(phrases).toEqual(['музей', 'уксус', 'соль']);
    expect(await phrasesOf('Улица длинная. Купили чугунный казан и ложку.')).toEqual(
      expect.arrayContaining(['улица', 'чугунный казан', 'ложка']),
    );
  });

  it('does not turn a name in the singular into a plural', async () => {
    expect((await namesOf('Лекция. Строительство Транссиба')).join()).not.toContain('Транссибы');
  });

  it('does not treat an ordinary word as a name because it begins a sentence', async () => {
    expect(await namesOf('Рассада томатов растёт на окне. Семена сеют в марте.')).toEqual([]);
  });

  it('returns English noun phrases, with the last noun in the singular', async () => {
    const phrases = await phrasesOf(
      'Engine braking saves the brake pads of trams. Polar bears lose their hunting grounds, and wireless headphones have better leaves than roadworks.',
    );
    expect(phrases).toEqual(
      expect.arrayContaining([
        'engine braking',
        'brake pad',
        'tram',
        'polar bear',
        'hunting ground',
        'roadworks',
        'leaf',
      ]),
    );
    expect(phrases).toContain('wireless headphones');
  });

  it('finds no nouns in instructions, or in verbs after a noun', async () => {
    const phrases = await phrasesOf(
      'Skip meat and cheese. Hire shoes that fit, and borrow a bag. Fry two onions. A puppy pulls because it is young. This soup tastes of summer.',
    );
    expect(phrases).toEqual(expect.arrayContaining(['cheese', 'shoe', 'onion', 'puppy', 'soup']));
    expect(phrases.join('; ')).not.toMatch(/skip|hire|fry|pull|taste/i);
    // These begin with a word that may be a verb.
    expect(await phrasesOf('Water pumps are loud. Plate tectonics. Rain is likely. Vets fear rabies.')).toEqual(
      expect.arrayContaining(['water pump', 'plate tectonics', 'rain', 'rabies']),
    );
  });

  // Results of spaCy 3.8 itself for this text with the same model.
  it('returns English names without titles, and those after titles and prepositions', async () => {
    expect(await namesOf('Captain Ruiz of the navy was born in Rosario.')).toEqual(['person Ruiz', 'place Rosario']);
    expect(await namesOf('Ms Delgado thanked the Red Cross.')).toEqual(['person Delgado', 'organization Red Cross']);
    expect(await namesOf('Volkswagen will build a plant near Chattanooga.')).toContain('place Chattanooga');
    expect(await namesOf('In May the Danube flooded the town.')).toEqual(['place Danube']);
    expect(await namesOf('He won the Berlin Marathon twice.')).toEqual(['place Berlin']);
  });

  // In each of these the network alone is wrong.
  it.each([
    ['a first name', 'The posters were drawn by Ilse Vandermark for the fair.', ['person Ilse Vandermark']],
    ['a first name', 'Guests laughed until Elsie Thornby danced.', ['person Elsie Thornby']],
    ['the kind before it', 'The plant belongs to the carmaker Dacia.', ['organization Dacia']],
    ['the kind before it', 'The cups come from a supplier, Ostrava.', ['organization Ostrava']],
    ['the kind after it', 'The hinges are by Velmora, a small company.', ['organization Velmora']],
    ['its last word', 'She sings with the Harrow Vale Choir.', ['organization Harrow Vale Choir']],
    ['its last word', 'The tender was won by Kestral Holdings.', ['organization Kestral Holdings']],
    ['a title before it', 'Councillor Bethan Price expects the team in May.', ['person Bethan Price']],
    ['its number', 'In 1054 the letter of Leo IX split the church.', ['person Leo IX']],
    ['a title before it', 'It was Patriarch Cerularius who closed them.', ['person Cerularius']],
    ['its last word', 'The Velm Trio plays in the courtyard at nine.', ['organization Velm Trio']],
    ['a command before it', 'In the menu, press Upload and choose Export.', []],
  ])('types an English name by %s: %s', async (_evidence, text, expected) => {
    expect(await namesOf(text)).toEqual(expected);
  });

  it('takes no instructions, peoples or days for English names', async () => {
    expect(await namesOf('Bake for 40 minutes. The Norwegian team met three Germans on Monday.')).toEqual([]);
  });

  it('returns the English names that spaCy finds, without articles', async () => {
    const text =
      'Chief executive Laura Chen apologised on Tuesday. Security researcher Amir Haddad of the University of Toronto said that the Office of the Privacy Commissioner in Canada had called.';
    expect(await namesOf(text)).toEqual([
      'person Laura Chen',
      'person Amir Haddad',
      'organization University of Toronto',
      'organization Office of the Privacy Commissioner',
      'place Canada',
    ]);
  });

  it('reads each text in its own language, and no text in an unsupported one', async () => {
    const reads = await reading.read(
      [
        'Музей трамваев открыли в Твери.',
        'The museum of trams opened in Leeds.',
        'Das Wetter wird morgen kalt und windig sein.',
        '',
      ],
      context,
    );
    expect(reads.map((read) => read?.names.map(({ name }) => name) ?? null)).toEqual([
      ['Тверь'],
      ['Leeds'],
      null,
      null,
    ]);
  });

  it('returns positions in each of several texts, which it reads together', async () => {
    const reads = await reading.read(
      ['Анна Иванова пришла.', 'Тут пришла Анна Иванова.', 'The museum opened in Leeds.', 'Музей открыли в Твери.'],
      context,
    );
    expect(reads.map((read) => read?.names.map(({ name, start }) => [name, start]))).toEqual([
      [['Анна Иванова', 0]],
      [['Анна Иванова', 'Тут пришла '.length]],
      [['Leeds', 'The museum opened in '.length]],
      [['Тверь', 'Музей открыли в '.length]],
    ]);
  });

  it('returns positions in the whole text, however long it is', async () => {
    const filler = 'Трамвай шёл по улице, и никто не спешил. '.repeat(500);
    const [read] = await reading.read([`${filler}Тут пришла Анна Иванова.`], context);
    const name = read?.names.find((each) => each.name === 'Анна Иванова');
    expect(name?.start).toBe(filler.length + 'Тут пришла '.length);
  });
});

describe('readers', () => {
  it('are optional: without them a text has no reading', async () => {
    const none = createReading({ ...NO_READERS, encoder: null });
    expect(none.languages).toEqual([]);
    expect(await none.read(['Музей трамваев открыли в Твери.'], context)).toEqual([null]);
    await none.close();
  });

  it('defer the step if their files cannot be read', async () => {
    const broken = createReading({ ...NO_READERS, english: '/nowhere', encoder: null });
    await expect(broken.read(['The museum of trams opened in Leeds.'], context)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'provider_model_not_found',
    });
    await broken.close();
  });
});
