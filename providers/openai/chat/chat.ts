/**
 * Structured answers over Chat Completions, the interface that every compatible server has: strict json_schema, else
 * json_object, else the schema in the prompt. Answers are always validated here. If an answer is missing, invalid or in
 * another language, the model is asked once more.
 */
import type { OpenAI } from 'openai';
import { cutText } from '../../../domain/cutText.ts';
import { EmptyAnswerError, ProviderError, UnusableAnswerError } from '../../errors.ts';
import type { CallContext, Usage } from '../../types.ts';
import {
  createCorrections,
  type Corrections,
  isUsableCorrection,
  judgeLanguage,
  languageProblem,
} from './answerLanguage.ts';
import { requestJson, type OpenAiApi } from '../calls/openAiApi.ts';
import { badAnswer } from '../calls/serverErrors.ts';
import { requireWhole } from '../calls/cutPrompts.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { createFormatLadder } from '../calls/formatLadder.ts';
import { answerInReasoning, compileAnswer, parseJsonAnswer, type JsonSchema } from './jsonSchema.ts';
import {
  ANSWER_FORMATS,
  responseFormat,
  systemText,
  type AnswerFormat,
  type FormattedQuestion,
} from './answerFormats.ts';
import { createEmptyAnswers } from './emptyAnswers.ts';
import { isRefusalInProse } from './refusalInProse.ts';
import { addUsage, bill, tokenUsage } from '../calls/callUsage.ts';

type Message = OpenAI.ChatCompletionMessageParam;
export type ContentPart = OpenAI.ChatCompletionContentPart;

/**
 * Maximum characters of an invalid answer that are sent back for repair. Half a character at the end is dropped:
 * servers refuse requests with lone surrogates.
 */
const MAX_ECHO_CHARS = 8_000;

/** One kind of question. */
export interface Question extends FormattedQuestion {
  /** ISO 639-1 code of the language of the answer; null: any. */
  language: string | null;
}

export interface ChatAnswer<T> {
  value: T;
  usage: Usage;
  requestId: string | null;
  /** The answer is in a language other than the question asked for, even after a correction. */
  isForeign?: boolean;
}

interface Completion {
  /** The format that was requested. */
  mode: AnswerFormat;
  /** Empty without an answer. */
  text: string;
  usage: Usage;
  requestId: string | null;
}

/** Asks a question; `content` is untrusted data. */
export type Ask<T> = (question: Question, content: ContentPart[], context: CallContext) => Promise<ChatAnswer<T>>;

type Prose<T> = (value: T) => readonly (string | null)[];

export interface StructuredChat {
  /**
   * @param accepted schema of every question's answers; a question's own schema may be less strict
   * @param proseOf returns the texts of an answer that must be in the question's language
   * @throws from the returned function: ProviderError (`refused` for two refusals; EmptyAnswerError if both answers are
   * empty, unless that counts as a refusal: emptyAnswers.ts), or the signal's reason
   */
  answers<T>(accepted: JsonSchema, proseOf?: Prose<T>): Ask<T>;
}

/** Replies in place of an answer: nothing at all, or that the model will not answer. */
type Unanswered = 'empty' | 'refusal';

/** Creates a chat. It learns once which formats a server supports and shares that among its questions. */
export function createStructuredChat(api: OpenAiApi): StructuredChat {
  const ladder = createFormatLadder<AnswerFormat>(ANSWER_FORMATS);
  const emptyAnswers = createEmptyAnswers();

  function send(question: Question, dialogue: Message[], context: CallContext): Promise<Completion> {
    return ladder.use(async (mode) => {
      const body: OpenAI.ChatCompletionCreateParamsNonStreaming = {
        model: api.model,
        messages: [{ role: 'system', content: systemText(question, mode) }, ...dialogue],
        ...responseFormat(question, mode),
      };
      const answer = await requestJson(api, context, (client, options) =>
        client.chat.completions.create(body, options),
      );
      const usage = await bill(api, context, answer, { ...tokenUsage(answer.body), images: countPictures(dialogue) });
      requireWhole(dialogue, usage);
      return { mode, text: completionText(answer.body), usage, requestId: answer.requestId };
    });
  }

  return {
    answers<T>(accepted: JsonSchema, proseOf: Prose<T> = () => []): Ask<T> {
      const check = compileAnswer<T>(accepted);
      const corrections = createCorrections();
      return async (question, content, context) => {
        const input: Message = { role: 'user', content };
        const first = await send(question, [input], context);
        const checked = check(first.text);
        const unanswered = unansweredBy(first.text);
        const again = async (problem: string): Promise<SecondAnswer<T>> => {
          // A refused question is sent again unchanged: a model that is told to correct its refusal puts the refusal
          // into the object.
          const dialogue = unanswered ? [input] : repairDialogue(input, first.text, problem, question.schema);
          const second = await send(question, dialogue, context);
          const rechecked = check(second.text);
          return {
            value: rechecked.ok ? rechecked.value : null,
            usage: addUsage(first.usage, second.usage),
            requestId: second.requestId,
            unanswered: unansweredBy(second.text),
          };
        };
        const rules = { language: question.language, proseOf, corrections, item: context.item };
        if (checked.ok) {
          ladder.followed(first.mode);
          emptyAnswers.recordAnswer(context.item);
          return correctLanguage(
            { value: checked.value, usage: first.usage, requestId: first.requestId },
            rules,
            again,
          );
        }
        // A server that accepts json_schema and answers in prose may be ignoring the schema.
        if (unanswered === null && parseJsonAnswer(first.text) === undefined) ladder.ignored(first.mode, context.item);
        const { value, unanswered: secondly, ...repaired } = await again(checked.problem);
        if (value === null) throw unusable(unanswered, secondly, emptyAnswers.isRefusal(context));
        emptyAnswers.recordAnswer(context.item);
        const isForeign = judgeLanguage(question.language, proseOf(value)) === 'wrong';
        return { value, ...repaired, ...(isForeign && { isForeign }) };
      };
    },
  };
}

/** An answer without the fault of the first one; the value is null if it does not follow the schema. */
interface SecondAnswer<T> extends ChatAnswer<T | null> {
  unanswered: Unanswered | null;
}

function unansweredBy(text: string): Unanswered | null {
  if (text.trim() === '') return 'empty';
  return isRefusalInProse(text) ? 'refusal' : null;
}

/** Returns the fault of two answers of which none is usable. */
function unusable(first: Unanswered | null, second: Unanswered | null, isEmptyAnswerRefusal: boolean): ProviderError {
  const isRefusal = first !== null && [first, second].includes('refusal');
  if (second === null || (second === 'refusal' && !isRefusal))
    return new UnusableAnswerError('provider_bad_answer', 'it does not follow the schema');
  return isRefusal || (first === 'empty' && isEmptyAnswerRefusal) ? refused() : new EmptyAnswerError();
}

function refused(): ProviderError {
  return new ProviderError('refused', 'provider_refused', 'The model refused the content');
}

/** The language of an answer, as far as it is known. */
interface LanguageRules<T> {
  /** See `Question`. */
  language: string | null;
  proseOf: Prose<T>;
  corrections: Corrections;
  /** See `CallContext`. */
  item: string | undefined;
}

/**
 * Has an answer in another language corrected. It is kept if that fails.
 * @param again asks for the answer without a fault
 */
async function correctLanguage<T>(
  first: ChatAnswer<T>,
  { language, proseOf, corrections, item }: LanguageRules<T>,
  again: (problem: string) => Promise<SecondAnswer<T>>,
): Promise<ChatAnswer<T>> {
  if (language === null) return first;
  const before = proseOf(first.value);
  const verdict = judgeLanguage(language, before);
  if (verdict === 'right') corrections.succeeded(language);
  if (verdict !== 'wrong') return first;
  if (!corrections.isWorthwhile(language)) return { ...first, isForeign: true };
  const second = await again(languageProblem(language)).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    return null;
  });
  if (second === null) return { ...first, isForeign: true };
  const { value, usage, requestId } = second;
  if (value !== null && isUsableCorrection(language, before, proseOf(value))) {
    corrections.succeeded(language);
    return { value, usage, requestId };
  }
  corrections.failed(language, item);
  return { ...first, usage, isForeign: true };
}

/** Returns null if no picture was sent, because the number of pictures is not recorded for questions about text. */
function countPictures(dialogue: Message[]): number | null {
  const parts = dialogue.flatMap<{ type: string }>((message) =>
    Array.isArray(message.content) ? message.content : [],
  );
  return parts.filter((part) => part.type === 'image_url').length || null;
}

function repairDialogue(input: Message, text: string, problem: string, schema: JsonSchema): Message[] {
  const correction = `That answer cannot be used: ${problem}. Answer again with one corrected JSON object and nothing else. JSON Schema:\n${JSON.stringify(schema)}`;
  return [input, { role: 'assistant', content: cutText(text, MAX_ECHO_CHARS) }, { role: 'user', content: correction }];
}

/**
 * Returns the text of the first choice; empty if there is none.
 * @throws ProviderError `refused` for a refusal or content filter; UnusableAnswerError if it is cut off
 */
function completionText(body: unknown): string {
  const choices = isRecord(body) ? body['choices'] : undefined;
  if (!Array.isArray(choices)) throw badAnswer('it has no choices');
  const choice: unknown = choices[0];
  if (isFiltered(body, choice))
    throw new ProviderError('refused', 'provider_content_filter', "The provider's filter withheld the answer");
  if (!isRecord(choice) || !isRecord(choice['message'])) return '';
  if (isRefused(choice['message'])) throw refused();
  if (choice['finish_reason'] === 'length') {
    throw new UnusableAnswerError('provider_answer_truncated', 'it was cut off at its length limit');
  }
  return textOf(choice['message']);
}

/** Without a choice, Azure names the filter that withheld the prompt; some gateways leave out the message. */
function isFiltered(body: unknown, choice: unknown): boolean {
  if (isRecord(choice)) return choice['finish_reason'] === 'content_filter';
  const prompts = isRecord(body) ? body['prompt_filter_results'] : undefined;
  const results = Array.isArray(prompts)
    ? prompts.flatMap((prompt: unknown) => (isRecord(prompt) ? [prompt['content_filter_results']] : []))
    : [];
  return results
    .flatMap((result) => (isRecord(result) ? Object.values(result) : []))
    .some((one) => isRecord(one) && one['filtered'] === true);
}

/** Some gateways send the refusal as a part of the content. */
function isRefused({ refusal, content }: Record<string, unknown>): boolean {
  if (typeof refusal === 'string' && refusal !== '') return true;
  return Array.isArray(content) && content.some((part: unknown) => isRecord(part) && part['type'] === 'refusal');
}

/**
 * Returns the text of a message. Some gateways send it in parts, and vLLM and llama.cpp put all of it into the
 * reasoning if the model does not mark where that ends. Empty without an answer.
 */
function textOf({ content, ...message }: Record<string, unknown>): string {
  const text = typeof content === 'string' ? content : joinedParts(content);
  if (text.trim() !== '') return text;
  const thought = message['reasoning_content'] || message['reasoning'];
  return typeof thought === 'string' ? (answerInReasoning(thought) ?? '') : '';
}

function joinedParts(content: unknown): string {
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((part: unknown) =>
    isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.join('');
}
