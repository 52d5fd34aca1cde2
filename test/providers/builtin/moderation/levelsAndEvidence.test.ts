import { describe, expect, it } from '@jest/globals';
import { moderateText } from '../../../../providers/builtin/moderation/levelsAndEvidence.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const CLEAN = { profanity: 'none', sexual: 'none', violence: 'none', drugs: 'none', self_harm: 'none' };

describe('moderateText', () => {
  it('gives no verdict without words', () => {
    for (const text of ['', '  \n', '!!! 🙂'])
      expect(moderateText(text)).toEqual({ level: null, categories: null, evidence: null });
  });

  it('judges a text of bracketed letters alone', () => {
    expect(['⒡⒰⒞⒦', '🄕🄤🄒🄚'].map((text) => moderateText(text).level)).toEqual(['high', 'high']);
  });

  it('repeats nothing of a word that is long because of its repeated letters', () => {
    const { evidence } = moderateText(`Текст ху${'у'.repeat(100)}й конец`);
    expect(evidence?.[0]?.excerpt).not.toContain('уй');
  });

  it('finds nothing in clean text', () => {
    expect(moderateText('Рецепт борща для всей семьи.')).toEqual({ level: 'none', categories: CLEAN, evidence: [] });
  });

  it('gives each category its gravest level, and the text the gravest of all', () => {
    const { level, categories } = moderateText('Секс, эротика и драка.');
    expect(level).toBe('medium');
    expect(categories).toEqual({ ...CLEAN, sexual: 'medium', violence: 'low' });
  });

  it('shows where a term is and how often it occurs, and masks it and its neighbours', () => {
    const text = 'Вот это пиздец, сказал он. А потом снова пиздец и хуйня. Звоните +7 916 123-45-67.';
    const { evidence } = moderateText(text);
    expect(evidence).toHaveLength(2);
    const [first] = evidence ?? [];
    expect(first).toMatchObject({
      category: 'profanity',
      level: 'high',
      term: 'п*****',
      where: { offset: 8, length: 6 },
      count: 2,
    });
    const shown = JSON.stringify(evidence);
    expect(shown).not.toMatch(/пиздец|хуйня|916/);
    expect(first?.['excerpt']).toContain('Вот это п*****, сказал он.');
  });

  const FILLER = 'тут идёт обычный текст без всего такого';

  it.each([
    ['a term at the start', `пиздец ${FILLER.slice(0, 36)} хуйня`, /ец/],
    ['a telephone number at the start', `Мой номер +7 916 123-45-67 ${FILLER.slice(0, 36)} хуйня`, /\d/],
    ['a telephone number at the end', `хуйня ${FILLER.slice(0, 28)} +7 916 123-45-67, пишите`, /\d/],
    ['an address at the start', `пишите на ivan.petrov@example.com ${FILLER.slice(0, 30)} хуйня`, /mple/],
  ])('masks what an excerpt cuts: %s', (_name, text, plain) => {
    const shown = moderateText(text).evidence?.map(({ excerpt }) => excerpt);
    expect(shown?.at(-1)).toContain('х****');
    expect(JSON.stringify(shown)).not.toMatch(plain);
  });

  it('shows a part of a term that is padded with a hundred thousand invisible characters', () => {
    const word = [...'хуйня'].join('\u200b'.repeat(25_000));
    const { level, evidence } = moderateText(`Вот ${word} тут.`);
    expect([level, evidence?.length]).toEqual(['high', 1]);
    expect(evidence?.[0]).toMatchObject({ where: { offset: 4, length: word.length } });
    expect(JSON.stringify(evidence).length).toBeLessThan(1_000);
  });

  it('puts the gravest first and shows at most twenty', () => {
    const words =
      'драка убил труп казнь погром жопа мразь чмо дерьмо секс интим конопля кальян вейп бонг sex naked nude kill bomb crap piss vaping corpse кокаин';
    const { evidence } = moderateText(words);
    expect(evidence).toHaveLength(20);
    expect(evidence?.[0]).toMatchObject({ category: 'drugs', level: 'high' });
  });

  const RUSSIAN = 'Трамвай вернулся в депо после ремонта, и люди ждали его целую неделю. ';
  const GERMAN = 'Der Zug kam nach der Reparatur zurück, und die Leute haben eine Woche lang auf ihn gewartet. ';
  const UZBEK = "Barcha odamlar erkin, qadr-qimmat va huquqlarda teng bo'lib tug'iladilar. ";

  it.each([
    ['a long Russian beginning and a German end', RUSSIAN.repeat(100) + GERMAN.repeat(500)],
    ['a passage in German', RUSSIAN.repeat(100) + GERMAN.repeat(20) + RUSSIAN.repeat(100)],
    ['a language that is not recognised', UZBEK.repeat(10)],
  ])('leaves a category without a match unknown in a text with %s', (_name, text) => {
    expect(moderateText(text)).toMatchObject({ level: null, categories: { profanity: null, violence: null } });
    expect(moderateText(`Продам мефедрон. ${text}`)).toMatchObject({ level: 'high', categories: { profanity: null } });
  });

  it.each([
    ['a name', 'Nike Air Max 270'],
    ['a foreign title in a Russian text', `${RUSSIAN.repeat(50)}Das ist nicht mein Fahrrad. ${RUSSIAN.repeat(50)}`],
    [
      'a list of products',
      'Процессор: Intel Core i7, шесть ядер; память: Kingston Fury; накопитель: Samsung 990. '.repeat(30),
    ],
    ['Russian and English', RUSSIAN.repeat(30) + 'The tram went back to the depot after its repair. '.repeat(50)],
  ])('judges a text with %s', (_name, text) => {
    expect(moderateText(text).level).toBe('none');
  });

  it('masks all letters of a hashtag but the first', () => {
    expect(moderateText('Кошки #порно').evidence).toMatchObject([{ term: '#п****', excerpt: 'Кошки #п****' }]);
  });

  it('handles a million characters of the worst text within bounds', async () => {
    let evidence: ReturnType<typeof moderateText>['evidence'] = null;
    const judge = () => ({ evidence } = moderateText('х*й и п.и.з.д.е.ц f u c k '.repeat(40_000)));
    expect(await cpuMsOf(judge)).toBeLessThan(30_000);
    expect(evidence).toHaveLength(3);
  });

  it.each([
    ['letters', `x * ${'a '.repeat(300_000)}`],
    ['digits', `x * ${'1 '.repeat(50_000)}a`],
    ['stars', `x x ${'* '.repeat(50_000)}`],
  ])('judges a long run of single %s in linear time', async (_name, run) => {
    let level: string | null = null;
    expect(await cpuMsOf(() => ({ level } = moderateText(`${run}. Убийство.`)))).toBeLessThan(5_000);
    expect(level).toBe('medium');
  });
});
