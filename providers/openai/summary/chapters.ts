/** Chapters of a recording by a chat model that reads the transcript with its times, in one question. */
import { createHash } from 'node:crypto';
import { CHAPTER_LIMITS, leastChapterSec, type ProposedChapter } from '../../../domain/analysis/chapters.ts';
import { cutText } from '../../../domain/cutText.ts';
import type { CallContext, Capability, ChaptersInput, ProviderResult, TranscriptSegment } from '../../types.ts';
import type { Question, StructuredChat } from '../chat/chat.ts';
import type { OpenAiApi } from '../calls/openAiApi.ts';
import { asMaterial } from '../chat/untrustedText.ts';
import { WRONG_LANGUAGE } from '../chat/answerLanguage.ts';
import { halveUntilItFits } from '../calls/halveUntilItFits.ts';
import { listOf, number, objectOf, string } from '../chat/jsonSchema.ts';
import { createLearnedSize } from '../calls/learnedSize.ts';
import { withDraft } from '../calls/savedDrafts.ts';
import { UNTRUSTED, languageInstruction } from './summaryQuestion.ts';
import { provenanceOf } from '../calls/callUsage.ts';

/** Minimum length of a line. Lines of a long recording are longer, and only the beginning of each is read. */
const LINE_SEC = 5;
const MAX_LINES = 240;
/** Characters for each line, at least, with its time: if there is room for few, there are fewer and longer lines. */
const MIN_LINE_CHARS = 40;
/** Maximum number of chapters that are read of an answer, more than there may be: a model may write without end. */
const MAX_ANSWERED = 240;
/** A server whose context is smaller than this fails. */
const MIN_CHARS = 1_000;
/** Number of characters that the time of a line takes. */
const TIME_CHARS = 10;

const SCHEMA = objectOf({
  chapters: listOf(
    objectOf({
      start: number('The seconds in brackets of the first line of the chapter.'),
      title: string('What the chapter is about, in two to seven words.'),
    }),
  ),
});

interface ChaptersAnswer {
  chapters: ProposedChapter[];
}

export interface TimedLine {
  /** Whole seconds. */
  start: number;
  text: string;
}

/**
 * @param partChars characters of material in one call, halved for a server with a smaller context
 * @returns a capability whose chapters begin at the line nearest to the answered time; a time outside the recording is
 * dropped with the warning `invented_chapter_times:n`. Titles in a language other than the requested one, even after a
 * correction, have the warning `wrong_language`
 */
export function createOpenAiChapters(
  api: OpenAiApi,
  chat: StructuredChat,
  partChars: number,
): Capability<ChaptersInput, ProposedChapter[]> {
  const ask = chat.answers<ChaptersAnswer>(SCHEMA, ({ chapters }) => chapters.map(({ title }) => title));
  const size = createLearnedSize(partChars);
  return {
    model: api.model,
    async run(input, context) {
      const length = textOf(linesOf(input.segments, input.durationSec, Infinity)).length;
      const material = { item: context.item, length, minChars: MIN_CHARS };
      const { result } = await halveUntilItFits(size, material, (chars) => read(input, chars, context));
      return result;
    },
  };

  async function read(
    input: ChaptersInput,
    chars: number,
    context: CallContext,
  ): Promise<ProviderResult<ProposedChapter[]>> {
    const lines = linesOf(input.segments, input.durationSec, chars);
    const question = chaptersQuestion(input);
    const text = textOf(lines);
    const part = `chapters ${api.model} ${digest(question.system + text)}`;
    const answer = await withDraft(context, part, () => ask(question, asMaterial(text), context));
    const answered = answer.value.chapters.slice(0, MAX_ANSWERED);
    const value = answered.flatMap((chapter) => atLine(chapter, lines, input.durationSec));
    const invented = answered.length - value.length;
    return {
      value,
      provenance: provenanceOf(api, answer.requestId),
      usage: answer.usage,
      warnings: [
        ...(invented > 0 ? [`invented_chapter_times:${invented}`] : []),
        ...(answer.isForeign ? [WRONG_LANGUAGE] : []),
      ],
    };
  }
}

function textOf(lines: readonly TimedLine[]): string {
  return lines.map(({ start, text }) => `[${start}] ${text}`).join('\n');
}

function atLine(
  { start, title }: ProposedChapter,
  lines: readonly TimedLine[],
  durationSec: number,
): ProposedChapter[] {
  if (!(start >= 0 && start <= durationSec)) return [];
  const [nearest] = lines.toSorted((a, b) => Math.abs(a.start - start) - Math.abs(b.start - start));
  return nearest ? [{ start: nearest.start, title }] : [];
}

/** Returns the transcript in lines of five seconds or more that fit `maxChars` together. */
export function linesOf(segments: readonly TranscriptSegment[], durationSec: number, maxChars: number): TimedLine[] {
  const maxLines = Math.max(1, Math.min(MAX_LINES, Math.floor(maxChars / MIN_LINE_CHARS)));
  const lineSec = Math.max(LINE_SEC, durationSec / maxLines);
  const lines: TimedLine[] = [];
  for (const { start, text } of segments) {
    const last = lines.at(-1);
    if (last && start - last.start < lineSec) last.text += ` ${text.trim()}`;
    else lines.push({ start: Math.floor(start), text: text.trim() });
  }
  const room = Math.max(1, Math.floor(maxChars / Math.max(1, lines.length)) - TIME_CHARS);
  return lines.map(({ start, text }) => ({ start, text: beginningOf(text, room) }));
}

function beginningOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const space = text.lastIndexOf(' ', chars);
  return `${cutText(text, space > chars / 2 ? space : chars)}…`;
}

function chaptersQuestion({ language, durationSec }: ChaptersInput): Question {
  const maxCount = Math.min(CHAPTER_LIMITS.count, Math.floor(durationSec / leastChapterSec(durationSec)));
  return {
    name: 'recording_chapters',
    language,
    system: [
      `You divide a recording into chapters. ${languageInstruction(language)}`,
      UNTRUSTED,
      'Each line shows what is said from the second in brackets on; in a long recording it shows only the beginning of it.',
      `chapters: where the subject changes, at most ${maxCount} of them, each at least ${Math.ceil(leastChapterSec(durationSec))} seconds long; an empty list for a recording with one subject.`,
      'start: the number in brackets of its first line. title: what it is about in two to seven words, without a number in front.',
    ].join('\n'),
    schema: SCHEMA,
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
