import { describe, expect, it } from '@jest/globals';
import { moderateText } from '../../../../providers/builtin/moderation/evidence.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const CLEAN = { profanity: 'none', sexual: 'none', violence: 'none', drugs: 'none', self_harm: 'none' };

describe('moderateText', () => {
  it('gives no verdict without words', () => {
    for (const text of ['', '  \n', '!!! 🙂'])
      expect(moderateText(text)).toEqual({ level: null, categories: null, evidence: null });
  });

  it('finds nothing in clean text', () => {
    expect(moderateText('Рецепт борща для всей семьи.')).toEqual({ level: 'none', categories: CLEAN, evidence: [] });
  });

  it('gives each category its gravest level, and the text the gravest of all', () => {
    const { level, categories } = moderateText('Секс, эротика и драка.');
    expect(level).toBe('medium');
    expect(categories).toEqual({ ...CLEAN, sexual: 'medium', violence: 'low' });
  });

  it('shows where a term is, how often, and masks it and its neighbours', () => {
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

  it('puts the gravest first and shows at most twenty', () => {
    const words =
      'драка убил труп казнь погром жопа мразь чмо дерьмо секс интим конопля кальян вейп бонг sex naked nude kill bomb crap piss vaping corpse кокаин';
    const { evidence } = moderateText(words);
    expect(evidence).toHaveLength(20);
    expect(evidence?.[0]).toMatchObject({ category: 'drugs', level: 'high' });
  });

  it('handles a million characters of the worst text within bounds', async () => {
    let evidence: ReturnType<typeof moderateText>['evidence'] = null;
    const judge = () => ({ evidence } = moderateText('х*й и п.и.з.д.е.ц f u c k '.repeat(40_000)));
    expect(await cpuMsOf(judge)).toBeLessThan(30_000);
    expect(evidence).toHaveLength(3);
  });
});
