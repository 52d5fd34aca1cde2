import { describe, expect, it } from '@jest/globals';
import { summarise, type SummaryOutcome } from '../../../../providers/builtin/text/summarise.ts';
import type { Summary, SummaryInput } from '../../../../providers/types.ts';
import { ARTICLE_EN, ARTICLE_RU } from './articles.ts';

const EMPTY: SummaryInput = { type: 'text', title: null, description: null, body: null, transcripts: [], frames: [] };

function summaryOf(input: Partial<SummaryInput>): Summary {
  const outcome: SummaryOutcome | null = summarise({ ...EMPTY, ...input });
  if (outcome === null) throw new Error('no summary');
  return outcome.summary;
}

describe('summarise', () => {
  it('extracts sentences of the text itself, in its order and within 600 characters', () => {
    const { summary } = summaryOf({ body: ARTICLE_RU });
    expect(summary.length).toBeLessThanOrEqual(600);
    const sentences = summary.split(/(?<=[.!?]) /);
    expect(sentences.length).toBeGreaterThanOrEqual(3);
    const places = sentences.map((sentence) => ARTICLE_RU.indexOf(sentence));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('makes a short text its own summary', () => {
    expect(summaryOf({ body: 'Кот спит. Пёс бежит.' }).summary).toBe('Кот спит. Пёс бежит.');
  });

  it('falls back to the title, and knows nothing without words', () => {
    expect(summaryOf({ title: 'Закат над морем' }).summary).toBe('Закат над морем');
    expect(summarise(EMPTY)).toBeNull();
    expect(summarise({ ...EMPTY, title: ' — ', body: '!!!' })).toBeNull();
  });

  it('shows keywords in their dictionary form, nouns alone', () => {
    const { tags, topics } = summaryOf({ title: 'Корпус русских новостей', body: ARTICLE_RU });
    expect(topics).toContain('машинное обучение');
    expect([...tags, ...topics]).toContain('корпус');
    expect(tags.length).toBeLessThanOrEqual(10);
    expect(topics.length).toBeLessThanOrEqual(5);
    const shoe = summaryOf({
      title: 'Кроссовки для бега',
      body: 'Подойдут для бега по асфальту. Хорошую амортизацию даёт подошва. Доставим бесплатно.',
    });
    expect(shoe.topics).toEqual(expect.arrayContaining(['кроссовка', 'бег']));
    expect(shoe.tags).toEqual(expect.arrayContaining(['асфальт', 'амортизация', 'подошва']));
    expect([...shoe.tags, ...shoe.topics].join(' ')).not.toMatch(/подойдут|подойти|бесплатн|доставим|бега/);
  });

  it('makes topics of what a text comes back to, and tags of the rest', () => {
    const { tags, topics } = summaryOf({ body: ARTICLE_RU });
    expect(topics.length).toBeGreaterThan(0);
    expect(topics.filter((topic) => tags.includes(topic))).toEqual([]);
    expect(summaryOf({ body: 'Кот спит у окна.' }).topics).toEqual([]);
  });

  it('does the same in English', () => {
    const { tags, topics, language, entities } = summaryOf({ body: ARTICLE_EN });
    expect(language).toBe('en');
    expect([...tags, ...topics]).toEqual(expect.arrayContaining(['library', 'book']));
    expect(topics).toContain('public libraries');
    expect(entities).toContainEqual({ type: 'date', text: 'March 12, 2024' });
    expect(entities).toContainEqual({ type: 'name', text: 'Maria van Dijk' });
  });

  it('uses what was said and what was seen', () => {
    const frame = { description: 'Повар режет свёклу на доске.', ocrText: 'Борщ за 30 минут', tags: ['кухня'] };
    const result = summaryOf({
      type: 'video',
      title: 'Ужин',
      transcripts: ['Сегодня готовим борщ. Свёклу нарежем соломкой.'],
      frames: [frame, frame],
    });
    expect(result.summary).toBe(
      'Сегодня готовим борщ. Свёклу нарежем соломкой. Борщ за 30 минут. Повар режет свёклу на доске.',
    );
    expect([...result.tags, ...result.topics]).toEqual(expect.arrayContaining(['борщ', 'кухня']));
  });

  it('puts prose before pictures', () => {
    const frames = Array.from({ length: 60 }, (_, index) => ({
      description: `Кадр ${index}: преобладает синий цвет, светлое изображение.`,
      ocrText: null,
      tags: null,
    }));
    const { summary } = summaryOf({ body: ARTICLE_RU, frames });
    expect(summary.indexOf('Кадр')).toBeGreaterThan(200);
    expect(summary.match(/Кадр/g)?.length).toBeLessThanOrEqual(4);
  });

  it('rates by what is found and never calls a text suitable for all', () => {
    expect(summaryOf({ body: ARTICLE_RU }).ageRating).toBeNull();
    expect(summaryOf({ body: 'Новости: суд рассмотрел дело об убийстве.' }).ageRating).toBe('16+');
    expect(summaryOf({ body: 'Продам мефедрон.' }).ageRating).toBe('18+');
    expect(summaryOf({ body: 'В шахматах ладью убили.' }).ageRating).toBe('12+');
  });

  it('leaves the language out when it is unknown or another', () => {
    expect(summaryOf({ title: '12345' }).language).toBeNull();
    expect(summaryOf({ body: 'Das Wetter wird morgen kalt und windig sein.' }).language).toBeNull();
  });

  it('says so when evidence past two million characters was left out', () => {
    const outcome = summarise({ ...EMPTY, body: 'Слово за словом. '.repeat(150_000) });
    expect(outcome?.warnings).toEqual(['text_truncated']);
  });

  it('keeps personal data out of tags', () => {
    const body =
      'Пишите на petrov@example.org и petrov@example.org, звоните 89161234567 и 89161234567. Читайте https://example.com/secret и https://example.com/secret.';
    expect(JSON.stringify(summaryOf({ body }).tags)).not.toMatch(/petrov|example|8916|secret/);
  });
});
