/** Plain, valid answers of the test server to any request. */
import { isRecord } from '../../../domain/isRecord.ts';
import { readFlac } from './openaiChecks.ts';

/** Returns a chat completion with this text. */
export function completion(
  content: string | null,
  extra: { finish_reason?: string; refusal?: string; usage?: unknown } = {},
): unknown {
  return {
    id: 'chatcmpl-test',
    object: 'chat.completion',
    model: 'test-model',
    choices: [
      {
        index: 0,
        finish_reason: extra.finish_reason ?? 'stop',
        message: { role: 'assistant', content, refusal: extra.refusal ?? null },
      },
    ],
    ...('usage' in extra
      ? extra.usage
        ? { usage: extra.usage }
        : {}
      : { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }),
  };
}

/** Answers with a value that fits the request's schema, whether it is in the format or in the prompt. */
export function answerChat(body: unknown): unknown {
  const text = JSON.stringify(body);
  const ids = [...text.matchAll(/"Frame id: ([^"]+)"/g)].map((match) => match[1] ?? '');
  const value = fill(schemaOf(body), ids);
  return completion(JSON.stringify(value));
}

function schemaOf(body: unknown): unknown {
  if (!isRecord(body)) return {};
  const format = body['response_format'];
  if (isRecord(format) && isRecord(format['json_schema'])) return format['json_schema']['schema'];
  const messages = Array.isArray(body['messages']) ? (body['messages'] as unknown[]) : [];
  const system = isRecord(messages[0]) ? String(messages[0]['content']) : '';
  return JSON.parse(system.slice(system.lastIndexOf('answer:\n') + 'answer:\n'.length));
}

function fill(schema: unknown, ids: string[]): unknown {
  if (!isRecord(schema)) return null;
  const type = Array.isArray(schema['type']) ? (schema['type'] as unknown[])[0] : schema['type'];
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[])[0];
  if (type === 'string') return 'текст';
  if (type !== 'object') return [];
  const properties = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {});
  const object = Object.fromEntries(properties.map(([name, inner]) => [name, fill(inner, ids)]));
  const frames = isRecord(schema['properties']) ? schema['properties']['frames'] : undefined;
  if (isRecord(frames)) object['frames'] = ids.map((id) => ({ ...(fill(frames['items'], ids) as object), id }));
  return object;
}

/** Returns one vector of `size` numbers for each text; equal texts have equal vectors. */
export function answerEmbeddings(body: unknown, size = 8): unknown {
  const input = isRecord(body) && Array.isArray(body['input']) ? (body['input'] as string[]) : [];
  return {
    object: 'list',
    model: 'test-model',
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, size) })),
    usage: { prompt_tokens: input.length, total_tokens: input.length },
  };
}

function vectorOf(text: string, size: number): number[] {
  const numbers = Array.from({ length: size }, () => 1);
  for (let index = 0; index < text.length; index += 1)
    numbers[index % size] = (numbers[index % size] ?? 0) + text.charCodeAt(index);
  return numbers;
}

const CATEGORIES = [
  'harassment',
  'hate',
  'illicit',
  'self-harm',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];
const SEEN_IN_IMAGES = ['self-harm', 'sexual', 'violence', 'violence/graphic'];

/** Returns one moderation result; `scores` replaces the low defaults. */
export function moderationResult(scores: Record<string, number>, isImage: boolean): unknown {
  const all = Object.fromEntries(
    CATEGORIES.map((name) => [name, isImage && !SEEN_IN_IMAGES.includes(name) ? 0 : 0.01]),
  );
  const merged = { ...all, ...scores };
  return {
    flagged: Object.values(merged).some((score) => score > 0.5),
    categories: Object.fromEntries(Object.entries(merged).map(([name, score]) => [name, score > 0.5])),
    category_scores: merged,
    category_applied_input_types: Object.fromEntries(
      CATEGORIES.map((name) => [name, isImage ? (SEEN_IN_IMAGES.includes(name) ? ['image'] : []) : ['text']]),
    ),
  };
}

export function answerModerations(body: unknown): unknown {
  const input = isRecord(body) && Array.isArray(body['input']) ? (body['input'] as unknown[]) : [];
  return {
    id: 'modr-test',
    model: 'test-model',
    results: input.map((part) => moderationResult({}, typeof part !== 'string')),
  };
}

/** Returns a sentence in the middle of the audio, in the requested format. */
export async function answerSpeech(form: FormData | null): Promise<unknown> {
  const file = form?.get('file');
  const flac = file instanceof File ? await readFlac(file) : null;
  const duration = flac?.seconds ?? 0;
  const text = 'Сегодня мы говорим о погоде.';
  const format = form?.get('response_format');
  if (format === 'json') return { text };
  const times = { start: duration * 0.25, end: duration * 0.75, text };
  if (format === 'diarized_json')
    return {
      task: 'transcribe',
      duration,
      text,
      segments: [{ ...times, id: 's1', type: 'transcript.text.segment', speaker: 'A' }],
    };
  return {
    task: 'transcribe',
    language: 'russian',
    duration,
    text,
    segments: [{ ...times, id: 0, no_speech_prob: 0.01, avg_logprob: -0.2, compression_ratio: 1.2 }],
  };
}
