import { describe, expect, it } from '@jest/globals';
import { compilePhrases } from '../../../../providers/builtin/moderation/lexicon.ts';
import { ENGLISH_LEXICON } from '../../../../providers/builtin/moderation/lexiconEn.ts';
import { RUSSIAN_LEXICON } from '../../../../providers/builtin/moderation/lexiconRu.ts';
import { findTerms } from '../../../../providers/builtin/moderation/matchLexicon.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const found = (text: string): string[] => [
  ...new Set(findTerms(text).map((match) => `${match.category} ${match.level}`)),
];

/** Innocent words that contain the letters of obscene or grave ones, or resemble them. */
const INNOCENT = `
застрахуй страхуем подстрахуй психуй психуем хлеб хлебать похлебал команда командами мандат мандарин мандаринами мандала Мандельштам
употреблять потребление оскорблять рубля корабля сабля ребёнок небо тебе себе требовать погреб погребать учебник лечебный лебедь стебель
мебель дебаты колебать колебался враждебный служебный судебный хребет целебный гребля грёб скреб щебень щебет щебетать судьба хлебушек
дебют дебаркадер небанальный небаловство бляха бляшка блямба блеск блеет обляпать мудрый мудрость мудрец умудриться сук сучок суккулент
сукно суконный рисунок барсук барсука кусок посуда посука рассудок сукцессия педиатр педикюр педагог педаль пеленг шедевр херувим Херсон херес
Шерхан пастух петух подхалим тихуля ухудшить худой художник худеть исхудал хулиган хутор Хуан хурма сахуй Хуго плохую сухую глухую лихую тихую
эхуя анализ анальгин канал аналог финал банальный банально секста секстет секстант экспорт Эссекс трахея страх страхи застрахован затрахеил
минет минута минутах упорно спорно опорный порно́вый героиня героини героиню героизм героический наркоз наркоза попытка попытки опытка испытка
трупп труппа труппы трубка утрупа казна казначей убедить убирать убыль убежать дракон драккар драконы термин терминал колбаса спермацет саранча
сарай срок срочно сруб срам ссуда ссора рассада вагон вагонетка Вагнер Синуха снасиловский опора репа репей копия опилки Пиза пицца пиджак
глаголь оголить член члены эскорт кончить кончил кончина траве трава спайка закладка закладки колоться винт дурь план плановый посадить
коноплянка коноплянку Ебаноидзе каннибализация каннибализировать
корабли сабли рубли вопли скорби Хазар мазь слизь княжна твоя мать хермес
Scunthorpe assassin assassins assassination assess asset assets assume assembly class classic pass passage bass brass grass glass mass massage
compass embassy ambassador harass cassette Massachusetts Essex Sussex Middlesex Sextus sextet sexton sextant cocktail peacock cockpit Hancock
Babcock shuttlecock Dick dickens Dickinson Moby-Dick cockroach analysis analyst canal banal analog therapist therapists grape grapes drape scrape
rapeseed rapid rapport shitake shiitake Shiatsu mishit Matsushita Penistone Lightwater arsenal arsenic parse parsec sparse Arsene hearse title titles titan
titanium titmouse entitle constitution institution Cummings document cucumber circumstances accumulate buttons butter button rebuttal heroine heroines heroic
method something methane skill skilled skills killjoy Kilkenny stable establish stability bombastic bombard Mombasa hello shell shellfish suitcase
classified passion crapaud scrap scrapbook bassoon fagot Fagan snigger sniggered niggle niggardly Nigeria Niger country counter discount
pussycat pissarro pistachio mississippi episode wankel swank twattle analogous kumquat dammit Uranus exotic horizon hornet morphing narcissus
cannibalize cannibalization
raccoon tycoon cocoon basement basis assign assistant blackass-free hotbed who're it's we're she'll isn't cat's tit-for-tat
`
  .split(/\s+/)
  .filter((word) => word !== '');

describe('the lexicons', () => {
  it('have no phrase with a word that matches the empty string, because each word stands for one token', () => {
    const phrases = [ENGLISH_LEXICON, RUSSIAN_LEXICON].flatMap((lexicon) => compilePhrases(lexicon.phrases));
    expect(phrases.filter(({ words }) => words.some((word) => word.test('')))).toEqual([]);
  });
});

describe('findTerms on innocent text', () => {
  it.each(INNOCENT)('does not match %s', (word) => {
    expect(findTerms(word)).toEqual([]);
    expect(findTerms(word.toUpperCase())).toEqual([]);
    expect(findTerms(`Слово «${word}», и дальше.`)).toEqual([]);
  });

  it.each([
    'Иди на хутор, твоя мать ждёт.',
    '2*5 = 10, a*b*c',
    '*жирный* **важный** текст',
    'из-за, по-русски, какой-то, на-ка',
    'А. Б. В. Г.',
    'т. е., и т. д., и т. п.',
    'сука'.replace('у', 'ове'),
    'mail@essex.ac.uk www.scunthorpe.co.uk https://pen.is/island',
    'vitamin a b c d e',
    'Версия 3.4.0, модель X5, А4, B2B',
    'C3PO, R2-D2 и 4K-видео 60fps',
    'x3 хе5 ПО2 2анализ аналог7 class9 title1 ⓐⓝⓐⓛⓞⓖ 🅰🅱',
    'я и ты и он и вы',
    'не хочу есть, хочу жить',
    'Mr. Dick and Mrs. Cox',
    'ул. Мира, д. 5, к. 2',
  ])('does not match in %j', (text) => {
    expect(findTerms(text)).toEqual([]);
  });
});

describe('findTerms on abuse', () => {
  it.each([
    'хуй',
    'ХУЙ!',
    'хуйня',
    'нахуй',
    'похуй',
    'охуеть',
    'охуенно',
    'хуесос',
    'пизда',
    'пиздец',
    'распиздяй',
    'спиздили',
    'ебать',
    'ебаный',
    'заебал',
    'наебали',
    'отъебись',
    'уёбок',
    'долбоёб',
    'выебываться',
    'разъебал',
    'блядь',
    'блять',
    'бляди',
    'блядский',
    'выблядок',
    'fuck',
    'FUCKING',
    'motherfucker',
    'unfuckingbelievable',
    'cunt',
    'nigger',
    'blyat',
    'pizdec',
    'nahuy',
  ])('finds %s as grave', (word) => {
    expect(found(word)).toContain('profanity high');
  });

  it.each([
    ['Latin letters among Cyrillic', 'xyй'],
    ['Latin y and x', 'хyй'],
    ['a plain word', 'п1здец'.replace('1', 'и')],
    ['digit three for з', 'пи3дец'],
    ['digit six for б', '6лядь'],
    ['@ for a', 'еб@ть'],
    ['repeated letters', 'хуууууй'],
    ['repeated letters', 'ббббляяяядь'],
    ['dots', 'х.у.й'],
    ['hyphens', 'х-у-й'],
    ['a hyphen', 'ху-й'],
    ['underscores', 'п_и_з_д_а'],
    ['spaces', 'х у й'],
    ['spaces after «и»', 'и х у й'],
    ['one star', 'х*й'],
    ['stars', 'п***ц'],
    ['stars', 'бл**ь'],
    ['a lone first letter', 'х**'],
    ['ё', 'ёбаный'],
    ['capitals', 'ПиЗдЕц'],
    ['a soft hyphen', 'ху\u00adй'],
    ['a zero-width space', 'пиз\u200bда'],
    ['strike-through', 'х\u0336у\u0336й\u0336'],
    ['a decomposed й', 'хуй'.normalize('NFD')],
    ['full-width letters', 'ｆｕｃｋ'],
    ['Cyrillic in Latin', 'fuсk'],
    ['stars', 'f**k'],
    ['stars', 'f*ck'],
    ['trailing stars', 'f***'],
    ['dots', 'f.u.c.k'],
    ['spaces', 'f u c k'],
    ['repeats', 'fuuuuuck'],
    ['accents', 'fück'],
    ['punctuation', '«хуй»,'],
    ['a hash', 'f#ck'],
    ['letters in circles', 'ⓕⓤⓒⓚ'],
    ['capitals in circles', 'Ⓕⓤⓒⓚ you'],
    ['letters in squares', '🄵🅄🄲🄺!'],
    ['white letters in black circles and squares', '🅕🅤🅒🅺'],
    ['letters in brackets', '⒡⒰⒞⒦'],
    ['a digit after it', 'хуй2'],
    ['digits before and after it', '2fuck69'],
    ['a hundred signs after it', `хуй${'!'.repeat(100)}`],
    ['a letter repeated a hundred times', `ху${'у'.repeat(100)}й`],
  ])('recognises %s: %s', (_how, text) => {
    expect(found(text)).toContain('profanity high');
  });

  it.each([['sh1t'], ['$hit'], ['a$$hole'], ['b1tch'], ['5lut'], ['cyka'], ['сyка'], ['м*дак']])(
    'recognises %s',
    (text) => {
      expect(found(text)).toContain('profanity medium');
    },
  );

  it.each([
    ['порнография', 'sexual high'],
    ['эротический', 'sexual medium'],
    ['sex', 'sexual low'],
    ['p0rn', 'sexual high'],
    ['расчленил', 'violence high'],
    ['убийство', 'violence medium'],
    ['убил', 'violence low'],
    ['massacre', 'violence medium'],
    ['отрезал голову', 'violence high'],
    ['кокаин', 'drugs high'],
    ['героин', 'drugs high'],
    ['марихуана', 'drugs medium'],
    ['heroin', 'drugs high'],
    ['drug dealers', 'drugs high'],
    ['меф3дрон'.replace('3', 'е'), 'drugs high'],
    ['самоубийство', 'self_harm high'],
    ['покончить с собой', 'self_harm high'],
    ['не хочу жить', 'self_harm high'],
    ['kill yourself', 'self_harm high'],
    ['self-harm', 'self_harm high'],
    ['end my own life', 'self_harm high'],
    ['вскрыла себе вены', 'self_harm high'],
    ['устроили кровавую баню', 'violence medium'],
    ['замучили до смерти', 'violence medium'],
    ['порно24', 'sexual high'],
  ])('finds %s as %s', (text, verdict) => {
    expect(found(text)).toContain(verdict);
  });

  it.each([
    ['секс-шоп', 'sexual medium'],
    ['секс\u2011шоп', 'sexual medium'],
    ['self\u2011harm', 'self_harm high'],
    ['жопа/хуй', 'profanity high'],
    ['#crap#fuck', 'profanity high'],
    ['sexy,porn', 'sexual high'],
    ['kill/murder', 'violence medium'],
  ])('judges %s by its gravest word', (text, verdict) => {
    expect(found(text)).toEqual([verdict]);
  });

  it.each([
    ['hashtags', '#кошки#собаки#видео#фото#порно#музыка#новости#спорт#погода#котики#собачки#щенки#котята'],
    ['words between commas', 'кошки,собаки,видео,фото,порно,музыка,новости,спорт,погода,котики,собачки,щенки,котята'],
  ])('finds a word in a long row of %s', (_what, text) => {
    const terms = findTerms(`Слово ${text}`);
    expect(terms.map(({ start, end }) => `Слово ${text}`.slice(start, end))).toEqual(['порно']);
  });

  it('returns the place of a word of a million letters', () => {
    const [match] = findTerms(`Это ху${'у'.repeat(1_000_000)}й`);
    expect(match).toMatchObject({ start: 4, end: 4 + 1_000_003, term: 'хуй' });
  });

  it('passes over long links and encoded data', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);
    expect(findTerms(`https://example.com/${letters}#porn data:image/png;base64,porn/${letters}+fuck==`)).toEqual([]);
  });

  it.each([
    '#порно',
    '#porn',
    '#кошки#порно',
    '#п0рно',
    '#f**k',
    '#уй',
    'кошки #fuck',
    'кошки,#порно',
    'кошки😀#порно',
  ])('finds the hashtag in %s', (text) => {
    expect(findTerms(text)).toHaveLength(1);
  });

  it.each([0xad, 0x34f, 0x200b, 0x2060, 0x2066, 0x2069, 0x206f, 0x2800, 0x3164, 0xfe0f, 0xfeff, 0xe0061, 0x1, 0x7f])(
    'finds words with the invisible character of code %d between their letters',
    (code) => {
      const split = (word: string): string => [...word].join(String.fromCodePoint(code));
      expect(findTerms(`${split('порно')} ${split('porn')}`)).toHaveLength(2);
    },
  );

  it.each([
    ['invisible characters', '\u200b'.repeat(100)],
    ['invisible characters of two units', '\u{e0061}'.repeat(100)],
    ['accents', '\u0301'.repeat(100)],
    ['accents and invisible characters', '\u0301\u200b'.repeat(100)],
  ])('finds a word that is padded with %s', (_name, padding) => {
    const word = [...'порно'].join(padding);
    const text = `это ${padding}«${word}»${padding} и porn`;
    const [first, second] = findTerms(text);
    expect([text.slice(first?.start, first?.end), text.slice(second?.start, second?.end)]).toEqual([word, 'porn']);
  });

  it.each([
    ['invisible characters', '\u200b'],
    ['accents above and below', '\u200b\u0301\u0323'],
  ])('reads a word that is padded with a million %s in linear time', async (_name, padding) => {
    const word = `п${padding.repeat(1_000_000 / padding.length)}орно`;
    let terms = 0;
    expect(await cpuMsOf(() => (terms = findTerms(word).length))).toBeLessThan(5_000);
    expect(terms).toBe(1);
  });

  it('finds nothing in a token that is too long even without its padding', () => {
    expect(findTerms(`${'а\u200bб\u200b'.repeat(40)}-порно`)).toEqual([]);
  });

  it.each(['#кошки', '#C', 'C#', '#1', '##', '#аналог#класс', '№#5', 'кошки,#', 'х.#.й'])(
    'finds nothing in %s',
    (text) => {
      expect(findTerms(text)).toEqual([]);
    },
  );

  it('returns positions', () => {
    const text = 'Ну и х.у.й с ним, пи3дец какой-то. What the f**k?';
    expect(findTerms(text).map((match) => text.slice(match.start, match.end))).toEqual(['х.у.й', 'пи3дец', 'f**k']);
  });
});
