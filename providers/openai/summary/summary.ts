/**
 * Summary, topics, tags, entities and age rating by a chat model. Long material is read in parts whose notes are then
 * merged; the number of calls is bounded.
 */
import { createHash } from 'node:crypto';
import { ageRatingOfParts } from '../../../domain/analysis/safety/missingEvidence.ts';
import { cutText } from '../../../domain/cutText.ts';
import { pickEvenly } from '../../../domain/pickEvenly.ts';
import { ProviderError } from '../../errors.ts';
import type { CallContext, ProviderResult, Summary, SummaryCapability, Usage } from '../../types.ts';
import { WRONG_LANGUAGE } from '../chat/answerLanguage.ts';
import { createOpenAiChapters } from './chapters.ts';
import { createStructuredChat, type ChatAnswer } from '../chat/chat.ts';
import { createOpenAiApi, failsEveryRequest, type OpenAiOptions } from '../calls/openAiApi.ts';
import { halveUntilItFits, isTooLarge } from '../calls/halveUntilItFits.ts';
import { createLearnedSize } from '../calls/learnedSize.ts';
import { withDraft } from '../calls/savedDrafts.ts';
import { badAnswer } from '../calls/serverErrors.ts';
import { asMaterial } from '../chat/untrustedText.ts';
import {
  NOTES_ACCEPTED,
  notesQuestion,
  SUMMARY_ACCEPTED,
  summaryQuestion,
  toSummary,
  type NotesAnswer,
  type SummaryAnswer,
  type WritingOptions,
} from './summaryQuestion.ts';
import {
  DEFAULT_PART_CHARS,
  MAX_PARTS,
  MIN_PART_CHARS,
  NUMBERING_CHARS,
  materialOf,
  roomBeside,
  splitMaterial,
} from '../calls/summaryParts.ts';
import { addUsage, provenanceOf } from '../calls/callUsage.ts';

export interface OpenAiSummaryOptions extends OpenAiOptions {
  /** Maximum characters of material in one call; lower for models with a small window. */
  partChars?: number;
}

/** Asks about a text; the saved answer of an earlier attempt to the same text is reused. */
type Reader<T> = (text: string, writing: WritingOptions, context: CallContext) => Promise<ChatAnswer<T>>;

interface Reading {
  notes: string[];
  usage: Usage | null;
  failed: number;
  error: ProviderError | null;
}

/**
 * @returns a capability that asks at most 12 questions (24 calls with repairs) at each size of the parts. If the
 *   material has more than 11 parts, evenly spaced ones are read, `omitted_parts:n`; a part that was refused or
 *   rejected is left out, `failed_parts:n`; then the age rating is never 0+ or 6+. A part that is too large for the
 *   server's context, or whose answer is cut off, halves the parts, `halved_parts:n` with their new size
 *   (halveUntilItFits.ts). A summary in a language other than the requested one, even after a correction, has the
 *   warning `wrong_language`.
 */
export function createOpenAiSummary(options: OpenAiSummaryOptions): SummaryCapability {
  const api = createOpenAiApi(options);
  const chat = createStructuredChat(api);
  const { summarise, takeNotes } = createReaders(chat, options.model);
  const partChars = options.partChars ?? DEFAULT_PART_CHARS;
  const size = createLearnedSize(partChars);

  return {
    model: options.model,
    chapters: createOpenAiChapters(api, chat, partChars),
    async run(given, context) {
      const input = { ...given, language: given.language ?? given.materialLanguage ?? null };
      const material = materialOf(input);
      if (material === '')
        throw new ProviderError('permanent', 'nothing_to_summarise', 'The item has no text to summarise');
      const bounds = { item: context.item, length: material.length, minChars: MIN_PART_CHARS };
      const { result, halvedTo } = await halveUntilItFits(size, bounds, (chars) =>
        read(material, chars, input, context),
      );
      return halvedTo === null ? result : { ...result, warnings: [...result.warnings, `halved_parts:${halvedTo}`] };
    },
  };

  async function read(
    material: string,
    chars: number,
    writing: WritingOptions,
    context: CallContext,
  ): Promise<ProviderResult<Summary>> {
    // Only the last question lists the topics.
    const room = roomBeside(writing.topicsAllowed, chars);
    const parts = splitMaterial(material, material.length > chars ? chars : room);
    const chosen = pickEvenly(parts, MAX_PARTS);
    const reading = chosen.length > 1 ? await readParts(takeNotes, chosen, room, writing, context) : null;
    const isUnread = chosen.length < parts.length || (reading?.failed ?? 0) > 0;
    const text = reading ? reading.notes.join('\n\n') : (chosen[0] ?? '');
    const answer = await summarise(text, isUnread ? { ...writing, isIncomplete: true } : writing, context);
    const { ageRating } = answer.value;
    return {
      value: { ...answer.value, ageRating: isUnread ? ageRatingOfParts(ageRating) : ageRating },
      provenance: provenanceOf(api, answer.requestId),
      usage: addUsage(reading?.usage ?? null, answer.usage),
      warnings: [
        ...count('omitted_parts', parts.length - chosen.length),
        ...count('failed_parts', reading?.failed ?? 0),
        ...(answer.isForeign ? [WRONG_LANGUAGE] : []),
      ],
    };
  }
}

/** Returns the functions that ask for a summary and for notes. */
function createReaders(
  chat: ReturnType<typeof createStructuredChat>,
  model: string,
): { summarise: Reader<Summary>; takeNotes: Reader<NotesAnswer> } {
  const askSummary = chat.answers<SummaryAnswer>(SUMMARY_ACCEPTED, ({ summary, description }) => [
    summary,
    description,
  ]);
  const askNotes = chat.answers<NotesAnswer>(NOTES_ACCEPTED);
  const summarise: Reader<Summary> = (text, writing, context) => {
    const question = summaryQuestion(writing);
    return withDraft(context, `summary ${model} ${digest(question.system + text)}`, async () => {
      const answer = await askSummary(question, asMaterial(text), context);
      return { ...answer, value: acceptSummary(answer, writing) };
    });
  };
  const takeNotes: Reader<NotesAnswer> = (text, writing, context) => {
    const question = notesQuestion(writing);
    return withDraft(context, `notes ${model} ${digest(question.system + text)}`, () =>
      askNotes(question, asMaterial(text), context),
    );
  };
  return { summarise, takeNotes };
}

async function readParts(
  takeNotes: Reader<NotesAnswer>,
  parts: string[],
  room: number,
  writing: WritingOptions,
  context: CallContext,
): Promise<Reading> {
  // All notes together fit into one call, the merge.
  const noteChars = Math.floor(room / parts.length) - NUMBERING_CHARS;
  const reading: Reading = { notes: [], usage: null, failed: 0, error: null };
  for (const [index, part] of parts.entries()) {
    try {
      const answer = await takeNotes(part, writing, context);
      reading.notes.push(`[${index + 1}/${parts.length}] ${cutText(noteOf(answer.value), noteChars)}`);
      reading.usage = addUsage(reading.usage, answer.usage);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === 'retryable' || failsEveryRequest(error)) throw error;
      if (isTooLarge(error)) throw error;
      reading.failed += 1;
      reading.error = error;
    }
  }
  if (reading.notes.length === 0 && reading.error) throw reading.error;
  return reading;
}

/** Puts what matters for an age mark first: long notes are cut off at their end. */
function noteOf({ age_concerns, ...answer }: NotesAnswer): string {
  return JSON.stringify({ age_concerns, ...answer });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function acceptSummary(answer: ChatAnswer<SummaryAnswer>, { topicsAllowed }: WritingOptions): Summary {
  const summary = toSummary(answer.value, topicsAllowed);
  if (summary.summary === '') throw badAnswer('the summary is empty');
  return summary;
}

function count(name: string, value: number): string[] {
  return value > 0 ? [`${name}:${value}`] : [];
}
