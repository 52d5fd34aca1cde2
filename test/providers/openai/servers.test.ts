/** The faults of real servers with OpenAI's interface, in their wording (docs/providers.md attributes them). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { faultOf } from '../../../activities/analysisFaults.ts';
import { createOpenAiEmbedding, createOpenAiSummary, createOpenAiVision } from '../../../providers/openai/index.ts';
import { answerChat, answerEmbeddings, completion } from '../../support/openai/openaiAnswers.ts';
import { startOpenAiServer, type OpenAiServer, type Received, type Reply } from '../../support/openai/openaiServer.ts';
import { sky } from './pictures.ts';
import { callContext, contextOf, failureOf } from './support.ts';

let server: OpenAiServer;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'attune-servers-'));
  await writeFile(join(dir, 'a.jpg'), await sky(64, 64));
});
afterAll(() => rm(dir, { recursive: true }));
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(async () => {
  expect(server.violations).toEqual([]);
  await server.close();
});

const options = () => ({ baseUrl: server.baseUrl, apiKey: 'test-key', model: 'local', requestTimeoutMs: 60_000 });
const said = (status: number, message: string): Reply => ({ status, json: { error: { message, code: status } } });
const INPUT = {
  language: null,
  topicsAllowed: [],
  type: 'text',
  title: null,
  description: null,
  body: 'слово '.repeat(4_000),
  transcripts: [],
  frames: [],
};
const lengthOf = ({ body }: Received): number =>
  (body as { messages: { content: { text: string }[] }[] }).messages[1]?.content[0]?.text.length ?? 0;

/** Answers of servers to a prompt that is too long. */
const OVERFLOWS: [server: string, reply: Reply][] = [
  [
    'llama.cpp',
    {
      status: 400,
      json: {
        error: {
          code: 400,
          message: 'request (9390 tokens) exceeds the available context size (4096 tokens), try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9390,
          n_ctx: 4096,
        },
      },
    },
  ],
  [
    'llama.cpp, in the middle of an answer',
    { status: 500, json: { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } } },
  ],
  [
    'vLLM',
    {
      status: 400,
      json: {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 9390 tokens (9390 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
  ],
  [
    'LM Studio',
    {
      status: 400,
      json: {
        error:
          'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9390>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
      },
    },
  ],
  [
    'LM Studio, with status 200',
    {
      json: {
        error:
          'Trying to keep the first 9390 tokens when context the overflows. However, the model is loaded with 4096.',
      },
    },
  ],
  ['LM Studio, of another version', { json: { error: 'Cannot truncate prompt with n_keep (9390) >= n_ctx (4096)' } }],
  [
    'Ollama, which cuts the prompt without a word',
    { json: completion('{"summary": "of the end alone"}', { usage: { prompt_tokens: 1_024, completion_tokens: 9 } }) },
  ],
];

describe('a context that is too small', () => {
  it.each(OVERFLOWS)('halves the parts of a summary until they fit: %s', async (name, overflow) => {
    const fits = 7_000;
    const saysLimit = name !== 'llama.cpp, in the middle of an answer';
    server.script('/chat/completions', (request) =>
      lengthOf(request) > fits ? overflow : { json: answerChat(request.body) },
    );
    const summary = createOpenAiSummary({ ...options(), partChars: 24_000 });
    for (const item of ['first', 'second']) {
      const { warnings } = await summary.run(INPUT, contextOf(item));
      expect(warnings).toContain('halved_parts:6000');
      // A server that names its limit is believed at once.
      if (saysLimit) break;
    }
    const asked = server.requests.length;
    await summary.run(INPUT, callContext());
    // The learned limit applies to the next item.
    expect(server.requests.slice(asked).every((request) => lengthOf(request) <= fits)).toBe(true);
  });

  it('fails a summary that cannot be made small enough, instead of halving endlessly', async () => {
    server.script('/chat/completions', () => OVERFLOWS[0]?.[1]);
    const failure = await failureOf(createOpenAiSummary(options()).run(INPUT, callContext()));
    expect(failure).toMatchObject({ kind: 'permanent', code: 'provider_input_too_large' });
    expect(server.requests.length).toBeLessThan(10);
  });

  it('leaves room for the answer: a prompt after which it is cut off is halved, for this item only', async () => {
    const cut = { json: completion('{"summary": "Слово за сло', { finish_reason: 'length', usage: null }) };
    server.script('/chat/completions', (request) =>
      lengthOf(request) > 7_000 ? cut : { json: answerChat(request.body) },
    );
    const summary = createOpenAiSummary({ ...options(), partChars: 24_000 });
    const { warnings } = await summary.run(INPUT, callContext());
    expect(warnings).toContain('halved_parts:6000');
    const asked = server.requests.length;
    await summary.run(INPUT, callContext());
    // A model that writes without end about one item says nothing about the others.
    expect(server.requests.slice(asked).some((request) => lengthOf(request) > 12_000)).toBe(true);
  });

  it('is not assumed for long if every answer is cut off', async () => {
    server.script('/chat/completions', () => ({
      json: completion('{"summary": "', { finish_reason: 'length', usage: null }),
    }));
    const failure = await failureOf(createOpenAiSummary(options()).run(INPUT, callContext()));
    expect(failure).toMatchObject({ kind: 'retryable', code: 'provider_answer_truncated' });
    expect(server.requests).toHaveLength(3);
  });

  it.each(OVERFLOWS.slice(0, 5))('halves a batch of texts, and a single text: %s', async (_server, overflow) => {
    const inputOf = ({ body }: Received): string[] => (body as { input: string[] }).input;
    server.script('/embeddings', (request) => {
      const input = inputOf(request);
      return input.length > 2 || input.some((text) => text.length > 600)
        ? overflow
        : { json: answerEmbeddings(request.body) };
    });
    const { value } = await createOpenAiEmbedding(options()).run(
      ['а'.repeat(2_000), 'б', 'в', 'г', 'д'],
      callContext(),
    );
    expect(value).toHaveLength(5);
    const lengths = server.requests.flatMap((request) => inputOf(request).map(({ length }) => length));
    expect(Math.min(...lengths.filter((length) => length > 1))).toBeGreaterThanOrEqual(300);
  });

  it.each([
    ['to its context', 4_096],
    ['to half of it', 2_050],
    ['to a context in thousands', 4_000],
    ['to half of a context in thousands', 2_002],
  ])('is detected where the server silently cuts the prompt %s: Ollama', async (_how, fits) => {
    const tokensOf = (request: Received): number => Math.ceil(lengthOf(request) / 2.5);
    server.script('/chat/completions', (request) => {
      const usage = { prompt_tokens: Math.min(tokensOf(request), fits), completion_tokens: 9 };
      return { json: { ...(answerChat(request.body) as object), usage } };
    });
    const summary = createOpenAiSummary({ ...options(), partChars: 24_000 });
    await summary.run(INPUT, callContext());
    const asked = server.requests.length;
    await summary.run(INPUT, callContext());
    expect(server.requests.slice(asked).every((request) => tokensOf(request) < fits)).toBe(true);
  });

  it('is not assumed for other items if a prompt fills it by chance', async () => {
    server.script('/chat/completions', (request, index) => ({
      json: { ...(answerChat(request.body) as object), usage: { prompt_tokens: index === 0 ? 8_192 : 3_999 } },
    }));
    const summary = createOpenAiSummary({ ...options(), partChars: 24_000 });
    await summary.run(INPUT, callContext());
    const asked = server.requests.length;
    await summary.run(INPUT, callContext());
    expect(server.requests.slice(asked).some((request) => lengthOf(request) > 12_000)).toBe(true);
  });

  it('halves the material itself where that is shorter than a part', async () => {
    const cut = { json: completion('{"summary": "', { finish_reason: 'length', usage: null }) };
    server.script('/chat/completions', (request) =>
      lengthOf(request) > 3_000 ? cut : { json: answerChat(request.body) },
    );
    await createOpenAiSummary(options()).run({ ...INPUT, body: 'слово '.repeat(700) }, callContext());
    expect(server.requests.filter((request) => lengthOf(request) > 3_000)).toHaveLength(1);
  });

  it('halves a text that exceeds the batch of llama.cpp, and remembers it', async () => {
    const inputOf = ({ body }: Received): string[] => (body as { input: string[] }).input;
    server.script('/embeddings', (request) => {
      const longest = Math.max(...inputOf(request).map(({ length }) => length));
      const message = `input (${longest} tokens) is too large to process. increase the physical batch size (current batch size: 512)`;
      return longest > 512 ? { status: 500, json: { error: { code: 500, message, type: 'server_error' } } } : undefined;
    });
    const embedding = createOpenAiEmbedding(options());
    expect((await embedding.run(['а'.repeat(900), 'б'], callContext())).value).toHaveLength(2);
    const asked = server.requests.length;
    await embedding.run(['в'.repeat(900)], callContext());
    expect(server.requests).toHaveLength(asked + 1);
  });

  it('is never exceeded if it is known beforehand', async () => {
    const embedding = createOpenAiEmbedding({ ...options(), contextTokens: 512, batchSize: 2 });
    const { warnings } = await embedding.run(['а'.repeat(2_000), 'б', 'в'], callContext());
    expect(warnings).toEqual(['truncated_texts:1']);
    expect(server.requests.map(({ body }) => (body as { input: string[] }).input.map(({ length }) => length))).toEqual([
      [512, 1],
      [1],
    ]);
  });
});

describe('a missing model', () => {
  it.each<[string, Reply]>([
    [
      'Ollama',
      { status: 404, json: { error: { message: 'model "local" not found, try pulling it first', type: 'api_error' } } },
    ],
    [
      'vLLM',
      {
        status: 404,
        json: { object: 'error', message: 'The model `local` does not exist.', type: 'NotFoundError', code: 404 },
      },
    ],
    [
      'LM Studio',
      {
        status: 400,
        json: {
          error: {
            message: 'Invalid model identifier "local". Please specify a valid downloaded model (e.g., qwen3-8b).',
            type: 'invalid_request_error',
            param: 'model',
            code: 'model_not_found',
          },
        },
      },
    ],
    [
      'LM Studio, in which none is loaded',
      {
        status: 400,
        json: { error: "No models loaded. Please load a model in the developer page or use the 'lms load' command." },
      },
    ],
    [
      'LM Studio, which cannot load it',
      { status: 400, json: { error: 'Failed to load model "local". Error: Error loading model.' } },
    ],
    [
      'speaches',
      {
        status: 404,
        json: {
          detail: "Model 'local' is not installed locally. You can download the model using `POST /v1/models`",
        },
      },
    ],
  ])('is distinguished from a missing function: %s', async (_server, reply) => {
    server.script('/embeddings', () => reply);
    const failure = await failureOf(createOpenAiEmbedding(options()).run(['x'], callContext()));
    expect(failure.code).toBe('provider_model_not_found');
  });

  it('is not what LM Studio means by a sentence with status 200 about moderation or vectors', async () => {
    server.script('/embeddings', () => ({ json: { error: 'Unexpected endpoint or method. (POST /v1/embeddings)' } }));
    const failure = await failureOf(createOpenAiEmbedding(options()).run(['x'], callContext()));
    expect(failure.code).toBe('provider_endpoint_not_found');
  });
});

describe('a function that a server lacks', () => {
  it.each<[string, Reply]>([
    [
      'llama.cpp, started without `--embeddings`',
      {
        status: 501,
        json: {
          error: {
            code: 501,
            message: 'This server does not support embeddings. Start it with `--embeddings`',
            type: 'not_supported_error',
          },
        },
      },
    ],
    [
      'llama.cpp, without a projector for pictures',
      {
        status: 500,
        json: {
          error: {
            code: 500,
            message: 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
            type: 'server_error',
          },
        },
      },
    ],
  ])('defers the step until the settings are right: %s', async (_server, reply) => {
    server.script('/embeddings', () => reply);
    const failure = await failureOf(createOpenAiEmbedding(options()).run(['x'], callContext()));
    expect(failure.code).toBe('provider_unsupported');
    expect(faultOf(failure).kind).toBe('exhausted');
  });

  it.each([
    'This model only support stream mode, please enable the stream parameter to access the model.',
    'parameter.enable_thinking must be set to false for non-streaming calls',
    'This server only supports streaming responses.',
  ])('may be an answer in one piece: %s', async (message) => {
    server.script('/chat/completions', () => said(400, message));
    const frames = [{ id: '0.5', path: join(dir, 'a.jpg') }];
    const failure = await failureOf(createOpenAiVision(options()).run({ frames, language: 'en' }, contextOf('a')));
    expect([failure.code, faultOf(failure).kind, server.requests.length]).toEqual([
      'provider_unsupported',
      'exhausted',
      1,
    ]);
  });

  /** Answers to a request with pictures from servers whose model reads only texts. */
  const BLIND: [server: string, reply: Reply][] = [
    [
      'Ollama',
      {
        status: 500,
        json: {
          error: {
            message:
              'Failed to create new sequence: failed to process inputs: this model is missing data required for image input',
            type: 'api_error',
          },
        },
      },
    ],
    ['Ollama, a model of its cloud', said(400, 'this model does not support image input')],
    [
      'vLLM',
      {
        status: 400,
        json: { object: 'error', message: 'local is not a multimodal model', type: 'BadRequestError', code: 400 },
      },
    ],
    ['LM Studio', { status: 400, json: { error: 'Model does not support images. Please use a model that does.' } }],
    ['LM Studio, with status 200', { json: { error: 'Model does not support images. Please use a model that does.' } }],
    ['OpenAI', said(400, 'Invalid content type. image_url is only supported by certain models.')],
    ['DeepSeek', said(400, 'Failed to deserialize: messages[1]: unknown variant `image_url`, expected `text`')],
    ['OpenRouter', said(404, 'No endpoints found that support image input')],
  ];

  it.each(BLIND)('is noticed for pictures too, with one request: %s', async (_server, reply) => {
    server.script('/chat/completions', () => reply);
    const frames = Array.from({ length: 8 }, (_, at) => ({ id: `${at}.5`, path: join(dir, 'a.jpg') }));
    const failure = await failureOf(createOpenAiVision(options()).run({ frames, language: 'en' }, contextOf('a')));
    expect(failure.code).toBe('provider_unsupported');
    expect(faultOf(failure).kind).toBe('exhausted');
    expect(server.requests).toHaveLength(1);
  });

  it('is not assumed because of a picture in a format that the server does not read', async () => {
    const format = said(400, 'You uploaded an unsupported image. It does not support image format: avif.');
    server.script('/chat/completions', () => format);
    const frames = [{ id: '0.5', path: join(dir, 'a.jpg') }];
    const failure = await failureOf(createOpenAiVision(options()).run({ frames, language: 'en' }, contextOf('a')));
    expect(failure.code).toBe('provider_bad_request');
  });
});
