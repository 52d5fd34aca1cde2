import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createStructuredChat, type Ask } from '../../../../providers/openai/chat/chat.ts';
import { createOpenAiApi } from '../../../../providers/openai/calls/openAiApi.ts';
import { nullableString, objectOf, string } from '../../../../providers/openai/chat/jsonSchema.ts';
import type { ProviderError } from '../../../../providers/errors.ts';
import type { CallContext } from '../../../../providers/types.ts';
import { completion } from '../../../support/openai/openaiAnswers.ts';
import {
  startOpenAiServer,
  type OpenAiServer,
  type Received,
  type Reply,
} from '../../../support/openai/openaiServer.ts';
import { bodyOf, contextOf, failureOf, rememberingContext } from '../support.ts';

interface Note {
  title: string;
  place: string | null;
}

const QUESTION = {
  name: 'note',
  system: 'Take a note.',
  language: null,
  schema: objectOf({ title: string('A title.'), place: nullableString('A place.') }),
};
const NOTE: Note = { title: 'Погода', place: null };

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
});

function chat(): Ask<Note> {
  const api = createOpenAiApi({
    baseUrl: server.baseUrl,
    apiKey: 'test-key',
    model: 'gpt-test',
    requestTimeoutMs: 60_000,
  });
  return createStructuredChat(api).answers<Note>(QUESTION.schema);
}
const ask = (question: Ask<Note>, item = 'item') =>
  question(QUESTION, [{ type: 'text', text: 'Сегодня солнечно.' }], contextOf(item));
const isRepair = ({ body }: Received): boolean => (body as { messages: unknown[] }).messages.length > 2;
const text = (content: string): Reply => ({ json: completion(content) });
const formatOf = ({ body }: Received): unknown =>
  (body as { response_format?: { type: string } }).response_format?.type;
const formats = (): unknown[] => server.requests.map(formatOf);
const messagesOf = (index: number) =>
  bodyOf<{ messages: { role: string; content: unknown }[] }>(server.requests[index]).messages;

describe('a structured answer', () => {
  it('is requested with a strict schema and nothing that some servers refuse', async () => {
    server.script('/chat/completions', () => text(JSON.stringify(NOTE)));
    const answer = await ask(chat());
    expect(answer).toEqual({
      value: NOTE,
      usage: { inputTokens: 100, outputTokens: 10, audioSeconds: null, images: null },
      requestId: 'req-1',
    });
    expect(server.requests[0]?.body).toMatchObject({
      model: 'gpt-test',
      response_format: { type: 'json_schema', json_schema: { strict: true } },
    });
    expect(messagesOf(0)[0]).toEqual({ role: 'system', content: 'Take a note.' });
  });

  it.each([
    ['```json\n{"title":"Погода","place":null}\n```'],
    ['<think>{"title": 1}</think>\n{"title":"Погода","place":null}'],
    ['The form is {"title": 1}, I think.\n</think>\n\n```json\n{"title":"Погода","place":null}\n```'],
    ['Вот ответ: {"title":"Погода","place":null}. Готово.'],
    ['{"title":"Погода","place":null,"extra":1}'],
  ])('is read from %j', async (content) => {
    server.script('/chat/completions', () => text(content));
    expect((await ask(chat())).value).toEqual(NOTE);
    expect(server.requests).toHaveLength(1);
  });

  it('is requested with json_object, then by the prompt alone, if formats are refused, and the choice is remembered', async () => {
    server.script('/chat/completions', (request) =>
      formatOf(request) === undefined
        ? text(JSON.stringify(NOTE))
        : { status: 400, json: { error: { message: 'nope' } } },
    );
    const question = chat();
    await ask(question);
    await ask(question);
    expect(formats()).toEqual(['json_schema', 'json_object', undefined, undefined]);
    expect(JSON.stringify(messagesOf(2)[0])).toContain('JSON Schema of the answer');
  });

  it('is requested with json_object from then on if that works', async () => {
    server.script('/chat/completions', (request) =>
      formatOf(request) === 'json_schema'
        ? { status: 422, json: { detail: 'unknown type' } }
        : text(JSON.stringify(NOTE)),
    );
    const question = chat();
    await ask(question);
    await ask(question);
    expect(formats()).toEqual(['json_schema', 'json_object', 'json_object']);
  });

  it('is requested in another format after a 500 that names the format', async () => {
    server.script('/chat/completions', (request) =>
      formatOf(request) === 'json_schema'
        ? { status: 500, json: { error: { message: 'response_format is not supported' } } }
        : text(JSON.stringify(NOTE)),
    );
    expect((await ask(chat())).value).toEqual(NOTE);
  });

  it('is requested in the best format again after an input that fails in every format', async () => {
    let broken = true;
    server.script('/chat/completions', () =>
      broken ? { status: 400, json: { error: { message: 'bad input' } } } : text(JSON.stringify(NOTE)),
    );
    const question = chat();
    expect(await failureOf(ask(question))).toMatchObject({ kind: 'permanent', code: 'provider_bad_request' });
    broken = false;
    await ask(question);
    expect(formats().at(-1)).toBe('json_schema');
  });

  it('is still requested in a format that has worked after one rejection', async () => {
    server.script('/chat/completions', (_, index) =>
      index === 1 ? { status: 400, json: { error: { message: 'bad input' } } } : text(JSON.stringify(NOTE)),
    );
    const question = chat();
    await ask(question);
    await failureOf(ask(question));
    await ask(question);
    expect(formats()).toEqual(['json_schema', 'json_schema', 'json_schema']);
  });

  it('is repaired once, with the faults named', async () => {
    server.script('/chat/completions', (_, index) => text(index === 0 ? '{"title": 5}' : JSON.stringify(NOTE)));
    const answer = await ask(chat());
    expect(answer.value).toEqual(NOTE);
    expect(answer.usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
    expect(messagesOf(1).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.stringify(messagesOf(1)[3])).toMatch(/\/title must be string.*|required property 'place'/);
  });

  it('is cut in the repair request if it is too long, but not within a character', async () => {
    server.script('/chat/completions', () => text(`x${'🚋'.repeat(4_000)}`));
    await failureOf(ask(chat()));
    const echo = messagesOf(1)[2]?.content as string;
    expect(echo.length).toBe(7_999);
    expect(echo.isWellFormed()).toBe(true);
  });

  it('is abandoned after one repair', async () => {
    server.script('/chat/completions', () => text('{"title": 5}'));
    expect(await failureOf(ask(chat()))).toMatchObject({ kind: 'retryable', code: 'provider_bad_answer' });
    expect(server.requests).toHaveLength(2);
  });

  it('costs as much as all answers together, including discarded ones', async () => {
    const context = rememberingContext();
    server.script('/chat/completions', () => text('{"title": 5}'));
    await failureOf(chat()(QUESTION, [{ type: 'text', text: 'x' }], context));
    server.script('/chat/completions', () => ({ json: completion('{"title"', { finish_reason: 'length' }) }));
    await failureOf(chat()(QUESTION, [{ type: 'text', text: 'x' }], context));
    expect(context.bills).toEqual(
      Array.from({ length: 3 }, () => ({ inputTokens: 100, outputTokens: 10, audioSeconds: null, images: null })),
    );
  });

  it('is requested with the schema in the prompt once the server has ignored it', async () => {
    server.script('/chat/completions', (request) =>
      text(formatOf(request) === 'json_schema' && !isRepair(request) ? 'Погода хорошая.' : JSON.stringify(NOTE)),
    );
    const question = chat();
    for (const item of ['first', 'second', 'third']) expect((await ask(question, item)).value).toEqual(NOTE);
    expect(formats()).toEqual(['json_schema', 'json_schema', 'json_schema', 'json_object', 'json_object']);
  });

  it.each<[string, Reply, string, string]>([
    ['a refusal', { json: completion(null, { refusal: 'I cannot' }) }, 'refused', 'provider_refused'],
    [
      'a content filter',
      { json: completion('', { finish_reason: 'content_filter' }) },
      'refused',
      'provider_content_filter',
    ],
    [
      'a content filter that leaves no message',
      { json: { choices: [{ index: 0, finish_reason: 'content_filter', message: null }] } },
      'refused',
      'provider_content_filter',
    ],
    [
      'a filter of the prompt',
      {
        json: {
          choices: [],
          prompt_filter_results: [
            { prompt_index: 0, content_filter_results: { hate: { filtered: false }, violence: { filtered: true } } },
          ],
        },
      },
      'refused',
      'provider_content_filter',
    ],
    [
      'a cut-off answer',
      { json: completion('{"title"', { finish_reason: 'length' }) },
      'retryable',
      'provider_answer_truncated',
    ],
  ])('cannot be made from %s', async (_, reply, kind, code) => {
    server.script('/chat/completions', () => reply);
    expect(await failureOf(ask(chat()))).toMatchObject({ kind, code });
    expect(server.requests).toHaveLength(1);
  });

  describe.each<[string, Reply]>([
    ['no choice', { json: { choices: [] } }],
    ['no text', { json: completion(null) }],
    ['an empty text', { json: completion('') }],
  ])('if the server returns %s', (_, reply) => {
    it('is asked for again, in the same words', async () => {
      server.script('/chat/completions', (__, index) => (index === 0 ? reply : text(JSON.stringify(NOTE))));
      expect((await ask(chat())).value).toEqual(NOTE);
      const [first, second] = server.requests;
      expect(second?.body).toEqual(first?.body);
    });

    it('fails retryably after the second time, and the format stays', async () => {
      server.script('/chat/completions', () => reply);
      const question = chat();
      for (const item of ['a', 'b', 'c'])
        expect(await failureOf(ask(question, item))).toMatchObject({ kind: 'retryable', code: 'provider_bad_answer' });
      expect(formats()).toEqual(Array(6).fill('json_schema'));
    });
  });

  describe('if the server returns a refusal in prose', () => {
    const REFUSAL = "I'm sorry, but I can't help with that.";

    it('is asked for again, in the same words', async () => {
      server.script('/chat/completions', (__, index) => text(index === 0 ? REFUSAL : JSON.stringify(NOTE)));
      expect((await ask(chat())).value).toEqual(NOTE);
      const [first, second] = server.requests;
      expect(second?.body).toEqual(first?.body);
    });

    it('is refused after the second time, and the format stays', async () => {
      server.script('/chat/completions', () => text(REFUSAL));
      const question = chat();
      for (const item of ['a', 'b', 'c'])
        expect(await failureOf(ask(question, item))).toMatchObject({ kind: 'refused', code: 'provider_refused' });
      expect(formats()).toEqual(Array(6).fill('json_schema'));
    });

    it.each([
      ['nothing', 'refused'],
      ['It is sunny.', 'retryable'],
    ])('fails, before or after %s, as %s', async (other, kind) => {
      for (const answers of [
        [REFUSAL, other],
        [other, REFUSAL],
      ]) {
        const before = server.requests.length;
        server.script('/chat/completions', (_, index) => text((answers[index - before] ?? '').replace('nothing', '')));
        expect(await failureOf(ask(chat()))).toMatchObject({ kind });
      }
    });
  });

  describe('if the server says nothing about it', () => {
    const silent = (item: string) => contextOf(item);
    const last = { wasUnanswered: true, isLastAttempt: true };
    async function silence(context: CallContext, answered: string | null): Promise<ProviderError> {
      const question = chat();
      server.script('/chat/completions', () => text(JSON.stringify(NOTE)));
      if (answered !== null) await ask(question, answered);
      server.script('/chat/completions', () => ({ json: { choices: [] } }));
      return failureOf(question(QUESTION, [{ type: 'text', text: 'x' }], context));
    }

    it('is refused in the last attempt if nothing was said in the earlier try either and another item was answered', async () => {
      const error = await silence({ ...silent('a'), ...last }, 'b');
      expect(error).toMatchObject({ kind: 'refused', code: 'provider_refused' });
    });

    it.each<[string, CallContext, string | null]>([
      ['in the first try', silent('a'), 'b'],
      ['without an answer about another item', { ...silent('a'), ...last }, null],
      ['with an answer about this item alone', { ...silent('a'), ...last }, 'a'],
    ])('is retryable %s', async (_, context, answered) => {
      expect(await silence(context, answered)).toMatchObject({ kind: 'retryable', code: 'provider_bad_answer' });
    });
  });

  it.each<[string, Record<string, unknown>]>([
    [
      'in parts',
      {
        content: [
          { type: 'text', text: '{"title": "Погода", ' },
          { type: 'text', text: '"place": null}' },
        ],
      },
    ],
    ['as reasoning, without content', { content: null, reasoning_content: JSON.stringify(NOTE) }],
    ['as reasoning, with empty content', { content: '', reasoning: `Let me think.</think>${JSON.stringify(NOTE)}` }],
    ['as reasoning in a fence', { content: '', reasoning_content: `\`\`\`json\n${JSON.stringify(NOTE)}\n\`\`\`` }],
    [
      'as reasoning that contains its own mark',
      { content: null, reasoning: JSON.stringify({ title: 'Погода', place: null, note: '</think>' }) },
    ],
    ['beside an empty field', { content: null, reasoning_content: '', reasoning: JSON.stringify(NOTE) }],
  ])('is read %s', async (_, message) => {
    const json = { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }] };
    server.script('/chat/completions', () => ({ json }));
    expect((await ask(chat())).value).toEqual(NOTE);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    `The material asks me to print ${JSON.stringify(NOTE)} which I must not follow. I will not answer.`,
    `A draft: ${JSON.stringify(NOTE)}`,
    `${JSON.stringify(NOTE)}</think>`,
    `</think>${JSON.stringify(NOTE)} No, that is wrong.`,
    `${JSON.stringify(NOTE)}\n${JSON.stringify(NOTE)}`,
    '["Погода"]',
    'It is sunny.',
  ])('is not taken from the reasoning %j', async (thought) => {
    const message = { role: 'assistant', content: '', reasoning_content: thought };
    server.script('/chat/completions', () => ({ json: { choices: [{ index: 0, finish_reason: 'stop', message }] } }));
    expect(await failureOf(ask(chat()))).toMatchObject({ kind: 'retryable', code: 'provider_bad_answer' });
    expect(server.requests.map(({ body }) => body)).toEqual([server.requests[0]?.body, server.requests[0]?.body]);
  });

  it('counts as refused if a part of the content is a refusal, whatever the reasoning contains', async () => {
    const content = [{ type: 'refusal', refusal: 'I cannot' }];
    const message = { role: 'assistant', content, reasoning_content: JSON.stringify(NOTE) };
    server.script('/chat/completions', () => ({ json: { choices: [{ index: 0, finish_reason: 'stop', message }] } }));
    expect(await failureOf(ask(chat()))).toMatchObject({ kind: 'refused', code: 'provider_refused' });
    expect(server.requests).toHaveLength(1);
  });

  it('has unknown usage if the server reports none', async () => {
    server.script('/chat/completions', () => ({ json: completion(JSON.stringify(NOTE), { usage: null }) }));
    expect((await ask(chat())).usage).toEqual({
      inputTokens: null,
      outputTokens: null,
      audioSeconds: null,
      images: null,
    });
  });
});
