import { describe, expect, it } from '@jest/globals';
import { createModeration } from '../../../providers/builtin/moderation.ts';
import { createTextRunner } from '../../../providers/builtin/textRunner.ts';
import type { ModerationInput } from '../../../providers/types.ts';

const context = () => ({ signal: new AbortController().signal, progress: () => undefined });
const judge = async (input: Partial<ModerationInput>) => {
  const runner = createTextRunner();
  try {
    return await createModeration(runner).run({ text: '', frames: [], ...input }, context());
  } finally {
    await runner.close();
  }
};

describe('the built-in moderation', () => {
  it('calls a clean text harmless', async () => {
    const { value, warnings } = await judge({ text: 'Тихий вечер у реки.' });
    expect([value.level, warnings]).toEqual(['none', []]);
  });

  it('leaves unknown what pictures show', async () => {
    const { value, warnings } = await judge({ text: 'Тихий вечер.', frames: [{ id: '0', path: '/nowhere' }] });
    expect(value).toMatchObject({ level: null, categories: { profanity: 'none' } });
    expect(warnings).toEqual(['frames_not_judged']);
  });

  it.each([
    'Der Zug kam nach der Reparatur zurück, und die Leute haben eine Woche lang auf ihn gewartet.',
    '火车修好后回到了车站，人们等了它一个星期。',
    'Трамвай повернувся до депо після ремонту, і люди чекали на нього цілий тиждень.',
  ])('leaves unknown what a text in another language says: %s', async (text) => {
    const { value } = await judge({ text });
    expect(value).toMatchObject({ level: null, categories: { profanity: null, violence: null } });
  });

  it('leaves unknown what the end of a very long text says', async () => {
    const end = 'вечер '.repeat(1_000_000);
    const clean = await judge({ text: `Тихий ${end}` });
    expect(clean.value).toMatchObject({ level: null, categories: { profanity: null, drugs: null } });
    expect(clean.warnings).toEqual(['text_truncated']);
    const { value } = await judge({ text: `Продам мефедрон. ${end}` });
    expect(value.categories).toMatchObject({ profanity: null, drugs: value.level });
    expect(value.level).not.toBeNull();
  });

  it('hides a telephone number that the end of the judged text cuts', async () => {
    const start = 'вечер '.repeat(1_000_000).slice(0, 4_999_980);
    const { value } = await judge({ text: `${start} мефедрон +7 916 123-45-67, звоните` });
    expect(JSON.stringify(value.evidence)).toContain('м*******');
    expect(JSON.stringify(value.evidence)).not.toMatch(/7 9/);
  });
});
