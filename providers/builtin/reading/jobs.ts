/** Divides texts into jobs for the thread that reads them. */
import { splitSentences } from '../text/sentences.ts';
import type { ReadLanguage } from './folders.ts';

/** Maximum number of characters of one job: it cannot be interrupted, and others wait for it. */
export const JOB_CHARACTERS = 8_000;

/** A part of the text `index`, which starts at `start`. */
export interface Part {
  text: string;
  start: number;
  index: number;
  language: ReadLanguage;
  /** Whether it is in the main language of its text. */
  isMain: boolean;
}

/** Parts of one language, and their texts. */
export interface Job {
  parts: readonly Part[];
  texts: string[];
  language: ReadLanguage;
}

/** Puts successive parts of one language into one job if they are short: each job wakes the thread and waits for it. */
export function jobsOf(parts: readonly Part[]): Job[] {
  const jobs: Part[][] = [];
  let room = 0;
  for (const part of parts) {
    const current = jobs.at(-1);
    room -= part.text.length;
    if (current !== undefined && room >= 0 && current[0]?.language === part.language) {
      current.push(part);
      continue;
    }
    jobs.push([part]);
    room = JOB_CHARACTERS - part.text.length;
  }
  return jobs.flatMap((job) => {
    const [first] = job;
    return first ? [{ parts: job, texts: job.map(({ text }) => text), language: first.language }] : [];
  });
}

/** Splits a text between sentences into parts that end with the first sentence beyond `JOB_CHARACTERS`. */
export function partsOf(text: string): { start: number; text: string }[] {
  if (text.length <= JOB_CHARACTERS) return [{ start: 0, text }];
  const starts = [0];
  for (const { start } of splitSentences(text)) {
    const last = starts.at(-1) ?? 0;
    if (start - last >= JOB_CHARACTERS) starts.push(start);
  }
  return starts.map((start, index) => ({ start, text: text.slice(start, starts[index + 1]) }));
}
