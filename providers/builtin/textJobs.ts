/** The text analyses, which run on the event loop if small and in a thread if large: one table for both. */
import type { ChaptersInput, Moderation, ProposedChapter, SummaryInput } from '../types.ts';
import { embedText } from './embedding/embed.ts';
import { moderateText } from './moderation/levelsAndEvidence.ts';
import type { TextFindings } from './reading/reading.ts';
import { segmentsOf, type SpokenCues } from './speech/captions.ts';
import { parseWebVtt } from './speech/webvtt.ts';
import { divideRecording, titleParts, type Part } from './summary/chapters.ts';
import type { TextSimilarities } from './topics/topicNearness.ts';
import { summarise, type SummaryOutcome } from './summary/summarise.ts';

export interface TextJobs {
  summary: {
    input: { item: SummaryInput; reads: readonly TextFindings[]; closeness: TextSimilarities | null };
    output: SummaryOutcome | null;
  };
  parts: { input: ChaptersInput; output: Part[] };
  titles: { input: { parts: readonly Part[]; reads: readonly TextFindings[] }; output: ProposedChapter[] };
  moderation: { input: string; output: Moderation };
  embedding: { input: string[]; output: (Float32Array | null)[] };
  subtitles: { input: { vtt: string; durationSec: number }; output: SpokenCues };
}

export type TextJobKind = keyof TextJobs;

const JOBS: { [Kind in TextJobKind]: (input: TextJobs[Kind]['input']) => TextJobs[Kind]['output'] } = {
  summary: ({ item, reads, closeness }) => summarise(item, reads, closeness),
  parts: divideRecording,
  titles: ({ parts, reads }) => titleParts(parts, reads),
  moderation: moderateText,
  embedding: (texts) => texts.map(embedText),
  subtitles: ({ vtt, durationSec }) => segmentsOf(parseWebVtt(vtt), durationSec),
};

/** Runs one job synchronously. */
export function runTextJob<Kind extends TextJobKind>(
  kind: Kind,
  input: TextJobs[Kind]['input'],
): TextJobs[Kind]['output'] {
  return JOBS[kind](input);
}
