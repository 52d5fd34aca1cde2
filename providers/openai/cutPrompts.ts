/** Detects that a server has cut a prompt, which it does not report. */
import type { OpenAI } from 'openai';
import { ProviderError } from '../errors.ts';
import type { Usage } from '../types.ts';

type Message = OpenAI.ChatCompletionMessageParam;

/**
 * Text has at least one token for every seven characters (English prose about four, Russian two to four), so a server
 * that counts fewer has silently cut the prompt to its context, as Ollama does. Short prompts are not checked.
 */
const MAX_CHARS_PER_TOKEN = 8;
const JUDGED_FROM_CHARS = 8_000;
/** Contexts are multiples of one of these numbers of tokens. */
const CONTEXT_UNITS = [1_000, 1_024];
/** Ollama cuts a prompt to the context, or keeps four tokens and half of the others: two more than half. */
const LEFT_OVER_TOKENS = [0, 2];
/** Shorter questions are not halved. */
const SUSPECTED_FROM_CHARS = 2_000;

/** The server has read only a part of a prompt. */
export class CutPromptError extends ProviderError {
  /** False if the count may be that of the whole prompt by chance. */
  readonly isCertain: boolean;
  readonly tokens: number;

  constructor(tokens: number, isCertain: boolean) {
    const problem = 'The provider read only a part of the input: its context is too small';
    super('permanent', 'provider_input_too_large', problem);
    this.tokens = tokens;
    this.isCertain = isCertain;
  }
}

/**
 * A prompt that fills a context exactly was probably cut to it: only four in a thousand whole prompts do.
 * @throws {CutPromptError} if the server has read only a part of the dialogue
 */
export function requireWhole(dialogue: readonly Message[], { inputTokens }: Usage): void {
  if (inputTokens === null || inputTokens <= 0) return;
  const lengths = dialogue.map((message) => textLength(message.content));
  const chars = lengths.reduce((sum, length) => sum + length, 0);
  const isCut = chars >= JUDGED_FROM_CHARS && inputTokens * MAX_CHARS_PER_TOKEN < chars;
  const isSuspected = (lengths[0] ?? 0) >= SUSPECTED_FROM_CHARS && fillsContext(inputTokens);
  if (isCut || isSuspected) throw new CutPromptError(inputTokens, isCut);
}

function fillsContext(tokens: number): boolean {
  return CONTEXT_UNITS.some((unit) => tokens >= unit && LEFT_OVER_TOKENS.includes(tokens % unit));
}

function textLength(content: Message['content']): number {
  if (typeof content === 'string') return content.length;
  return (content ?? []).reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
}
