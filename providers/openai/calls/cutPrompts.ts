/** Detects that a server has cut a prompt, which it does not report. */
import type { OpenAI } from 'openai';
import type { Usage } from '../../types.ts';
import { InputTooLargeError } from './serverErrors.ts';

type Message = OpenAI.ChatCompletionMessageParam;

/**
 * Text has at least one token for every seven characters (English prose about four, Russian two to four), so a server
 * that counts less than one for every eight has silently cut the prompt to its context, as Ollama does. Short prompts
 * are not checked.
 */
const MAX_CHARS_PER_TOKEN = 8;
const JUDGED_FROM_CHARS = 8_000;
/** Contexts are multiples of one of these numbers of tokens. */
const CONTEXT_UNITS = [1_000, 1_024];
/**
 * Ollama cuts a prompt to the context, or to four tokens and half of the rest of the context: half the context and two.
 */
const LEFT_OVER_TOKENS = [0, 2];
/** Shorter questions are not halved. */
const SUSPECTED_FROM_CHARS = 2_000;

/**
 * The server has probably read only a part of a prompt. A single count proves nothing: it may be that of the whole
 * prompt by chance.
 */
export class TruncatedPromptError extends InputTooLargeError {
  /** The tokens that the server counted. */
  readonly tokens: number;

  constructor(tokens: number) {
    super('The provider read only a part of the input: its context is too small');
    this.tokens = tokens;
  }
}

/**
 * A prompt that fills a context exactly was probably cut to it: only four in a thousand whole prompts do. The length of
 * a single picture is not known, and it cannot be halved.
 * @throws {TruncatedPromptError} if the server has probably read only a part of the dialogue
 */
export function requireWhole(dialogue: readonly Message[], { inputTokens, images }: Usage): void {
  if (inputTokens === null || inputTokens <= 0) return;
  const lengths = dialogue.map((message) => variedLength(message.content));
  const chars = lengths.reduce((sum, length) => sum + length, 0);
  const isCut = chars >= JUDGED_FROM_CHARS && inputTokens * MAX_CHARS_PER_TOKEN < chars;
  const isDivisible = (lengths[0] ?? 0) >= SUSPECTED_FROM_CHARS || (images ?? 0) > 1;
  if (isCut || (isDivisible && fillsContext(inputTokens))) throw new TruncatedPromptError(inputTokens);
}

function fillsContext(tokens: number): boolean {
  return CONTEXT_UNITS.some((unit) => tokens >= unit && LEFT_OVER_TOKENS.includes(tokens % unit));
}

function variedLength(content: Message['content']): number {
  if (typeof content === 'string') return variedChars(content);
  return (content ?? []).reduce((sum, part) => sum + ('text' in part ? variedChars(part.text) : 0), 0);
}

/** Counts characters that differ from the two before them: a line of `=` or `- - -` is a token or two. */
function variedChars(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text[at] !== text[at - 1] && text[at] !== text[at - 2]) count += 1;
  return count;
}
