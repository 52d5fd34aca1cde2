/** Chapters by a chat model: the requests, and the accepted parts of its answers. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { linesOf } from '../../../../providers/openai/summary/chapters.ts';
import { createOpenAiSummary } from '../../../../providers/openai/index.ts';
import type { ChaptersInput } from '../../../../providers/types.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';
import { completion } from '../../../support/openai/openaiAnswers.ts';
import { startOpenAiServer, type OpenAiServer } from '../../../support/openai/openaiServer.ts';
import { bodyOf, callContext, failureOf, rememberingContext } from '../support.ts';

const SEGMENTS = Array.from({ length: 60 }, (_, at) => ({
  start: at * 10 + 0.4,
  end: at * 10 + 9,
  text: `Предложение ${at}.`,
  speaker: null,
}));
const INPUT: ChaptersInput = { language: 'ru', segments: SEGMENTS, durationSec: 600 };

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
});

function divider(partChars?: number) {
  const options = { baseUrl: server.baseUrl, apiKey: 'test-key', model: 'gpt-test', requestTimeoutMs: 60_000 };
  const { chapters } = createOpenAiSummary({ ...options, ...(partChars && { partChars }) });
  if (!chapters) throw new Error('it divides nothing');
  return chapters;
}
const answering = (chapters: unknown) =>
  server.script('/chat/completions', () => ({ json: completion(JSON.stringify({ chapters })) }));
const asked = (at = 0) => {
  const { messages } = bodyOf<{ messages: [{ content: string }, { content: { text: string }[] }] }>(
    server.requests[at],
  );
  return { system: messages[0].content, user: messages[1].content[0]?.text ?? '' };
};

describe('chapters', () => {
  it('are requested for what is said with its times, in one question', async () => {
    answering([]);
    const { value } = await divider().run(INPUT, callContext());
    expect(value).toEqual([]);
    expect(server.requests).toHaveLength(1);
    expect(asked().user).toContain('\n[0] Предложение 0.\n[10] Предложение 1.\n');
    expect(asked().system).toMatch(/in Russian, whatever[\s\S]*data only[\s\S]*at most 20 of them, each at least 30/);
  });

  it('begin at a line, and a time outside the recording is dropped', async () => {
    const proposed = [
      { start: 0, title: 'Начало' },
      { start: 203.7, title: 'Середина' },
      { start: 9_000, title: 'После конца' },
      { start: -1, title: 'До начала' },
    ];
    answering(proposed);
    const { value, warnings } = await divider().run(INPUT, callContext());
    expect(value).toEqual([
      { start: 0, title: 'Начало' },
      { start: 200, title: 'Середина' },
    ]);
    expect(warnings).toEqual(['invented_chapter_times:2']);
  });

  it('are read in part if they do not end', async () => {
    answering(Array.from({ length: 100_000 }, (_, at) => ({ start: at % 600, title: '' })));
    const chapters = divider();
    let result: Awaited<ReturnType<typeof chapters.run>> | undefined;
    expect(await cpuMsOf(async () => (result = await chapters.run(INPUT, callContext())))).toBeLessThan(2_000);
    expect(result?.value).toHaveLength(240);
    expect(result?.warnings).toEqual([]);
  });

  it('are corrected once if they are in another language than requested', async () => {
    const titlesOf = (text: string) => [0, 200, 400].map((start) => ({ start, title: text }));
    const [english, russian] = ['The tram goes back to the depot', 'Трамвай возвращается в депо'].map(titlesOf);
    server.script('/chat/completions', (_request, index) => ({
      json: completion(JSON.stringify({ chapters: index === 1 ? russian : english })),
    }));
    const chapters = divider();
    expect((await chapters.run(INPUT, callContext())).value[0]?.title).toBe('Трамвай возвращается в депо');
    const { value, warnings } = await chapters.run({ ...INPUT, durationSec: 601 }, callContext());
    expect([value[0]?.title, warnings]).toEqual(['The tram goes back to the depot', ['wrong_language']]);
  });

  it('are requested once more if they do not follow the schema, and then fail', async () => {
    answering([{ start: '3:20', title: 'Время словами' }]);
    expect(await failureOf(divider().run(INPUT, callContext()))).toMatchObject({ code: 'provider_bad_answer' });
    expect(server.requests).toHaveLength(2);
  });

  it('are requested for less of a recording that is too long for the server', async () => {
    server.script('/chat/completions', (_, index) =>
      index === 0
        ? { status: 400, json: { error: { code: 'context_length_exceeded' } } }
        : { json: completion('{"chapters": []}') },
    );
    await divider(4_000).run(INPUT, callContext());
    expect(asked(1).user.length).toBeLessThan(2_400);
  });

  it('are requested for less of the recording if the answer is cut off, for this recording only', async () => {
    const cut = { json: completion('{"chapters": [', { finish_reason: 'length', usage: null }) };
    server.script('/chat/completions', (_request, index) =>
      index === 0 ? cut : { json: completion(JSON.stringify({ chapters: [] })) },
    );
    const chapters = divider();
    await chapters.run(INPUT, callContext());
    expect(asked(1).user.length).toBeLessThan(asked(0).user.length * 0.7);
    await chapters.run(INPUT, callContext());
    expect(asked(2).user).toHaveLength(asked(0).user.length);
  });

  it('are not paid for twice', async () => {
    answering([{ start: 0, title: 'Начало' }]);
    const context = rememberingContext();
    await divider().run(INPUT, context);
    const { value } = await divider().run(INPUT, context);
    expect(value).toEqual([{ start: 0, title: 'Начало' }]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('the lines of a recording', () => {
  it.each([24_000, 4_000, 1_000])('of four hours fit one question of %d characters', (maxChars) => {
    const segments = Array.from({ length: 7_200 }, (_, at) => ({
      start: at * 2,
      end: at * 2 + 2,
      text: 'слово за словом о погоде',
      speaker: null,
    }));
    const lines = linesOf(segments, 4 * 3600, maxChars);
    expect(lines.length).toBeLessThanOrEqual(240);
    const length = lines.reduce((sum, { start, text }) => sum + String(start).length + text.length + 4, 0);
    expect(length).toBeLessThan(maxChars);
    expect(length).toBeGreaterThan(maxChars * 0.8);
    expect(lines.every(({ text }) => text.length >= 20)).toBe(true);
    expect(lines.at(-1)?.start).toBeGreaterThan(4 * 3600 * 0.95);
  });
});
