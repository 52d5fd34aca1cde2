/** The text analyses that run on the event loop when small and in a thread when large: one shape for both. */
import type { Moderation, SummaryInput } from '../types.ts';
import { embedText } from './embedding/embed.ts';
import { moderateText } from './moderation/evidence.ts';
import { segmentsOf, type SpokenCues } from './speech/captions.ts';
import { parseWebVtt } from './speech/webvtt.ts';
import { summarise, type SummaryOutcome } from './text/summarise.ts';

export interface TextJobs {
  summary: { input: SummaryInput; output: SummaryOutcome | null };
  moderation: { input: string; output: Moderation };
  embedding: { input: string[]; output: (Float32Array | null)[] };
  subtitles: { input: { vtt: string; durationSec: number }; output: SpokenCues };
}

export type TextJobKind = keyof TextJobs;

const JOBS: { [Kind in TextJobKind]: (input: TextJobs[Kind]['input']) => TextJobs[Kind]['output'] } = {
  summary: summarise,
  moderation: moderateText,
  embedding: (texts) => texts.map(embedText),
  subtitles: ({ vtt, durationSec }) => segmentsOf(parseWebVtt(vtt), durationSec),
};

/** Runs one job here and now. */
export function runTextJob<Kind extends TextJobKind>(
  kind: Kind,
  input: TextJobs[Kind]['input'],
): TextJobs[Kind]['output'] {
  return JOBS[kind](input);
}
