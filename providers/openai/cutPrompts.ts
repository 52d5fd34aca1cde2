/** Finds out that a server has cut a prompt, which it does not tell. */
import type { OpenAI } from 'openai';
import { ProviderError } from '../errors.ts';
import type { Usage } from '../types.ts';

type Message = OpenAI.ChatCompletionMessageParam;

/**
 * Text has at least one token for every seven characters (English prose about four, Russian two to four), so a server
 * that counts fewer has silently cut the prompt to its context, as Ollama does. Short prompts are not checked.
 */
const MOST_CHARS_PER_TOKEN = 8;
const JUDGED_FROM_CHARS = 8_000;

/** @throws {ProviderError} permanent `provider_input_too_large` if the server has read only a part of the dialogue */
export function requireWhole(dialogue: readonly Message[], { inputTokens }: Usage): void {
  const chars = dialogue.reduce((sum, message) => sum + textLength(message.content), 0);
  if (inputTokens === null || inputTokens <= 0 || chars < JUDGED_FROM_CHARS) return;
  if (inputTokens * MOST_CHARS_PER_TOKEN >= chars) return;
  const problem = 'The provider read only a part of the input: its context is too small';
  throw new ProviderError('permanent', 'provider_input_too_large', problem);
}

function textLength(content: Message['content']): number {
  if (typeof content === 'string') return content.length;
  return (content ?? []).reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
}
