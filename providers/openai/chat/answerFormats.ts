/** The ways to ask a chat server for an answer in JSON. */
import type { OpenAI } from 'openai';
import type { JsonSchema } from './jsonSchema.ts';

/** The order in which they are tried; calls/formatLadder.ts remembers which of them a server supports. */
export const ANSWER_FORMATS = ['json_schema', 'json_object', 'prompt'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

export interface FormattedQuestion {
  /** The schema's name in the request (letters, digits, `_`, `-`). */
  name: string;
  schema: JsonSchema;
  system: string;
}

/** Returns the instructions, with the schema if the format does not transmit it. */
export function systemText(question: FormattedQuestion, format: AnswerFormat): string {
  if (format === 'json_schema') return question.system;
  return `${question.system}\n\nAnswer with one JSON object and nothing else. JSON Schema of the answer:\n${JSON.stringify(question.schema)}`;
}

/** Returns the parameter of the request that asks for the format. */
export function responseFormat(
  question: FormattedQuestion,
  format: AnswerFormat,
): Pick<OpenAI.ChatCompletionCreateParams, 'response_format'> {
  if (format === 'prompt') return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  const { name, schema } = question;
  return { response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } } };
}
