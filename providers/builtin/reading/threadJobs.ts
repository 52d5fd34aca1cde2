/** Divides texts into jobs for the thread that reads them. */
import { splitSentences } from '../text/sentences.ts';
import { cutAt, startsApart } from './cuts.ts';
import type { ReaderLanguage } from './folders.ts';

/** Maximum number of characters of one job: it cannot be interrupted, and others wait for it. */
export const JOB_CHARACTERS = 8_000;

/** A part of the text `index`, which starts at `start`. */
export interface Part {
  text: string;
  start: number;
  index: number;
  language: ReaderLanguage;
  /** Whether it is in the main language of its text. */
  isMain: boolean;
}

/** Parts of one language, and their texts. */
export interface Job {
  parts: readonly Part[];
  texts: string[];
  language: ReaderLanguage;
}

/** Gathers the short parts of each language into common jobs: each job wakes the thread and waits for it. */
export function jobsOf(parts: readonly Part[]): Job[] {
  const jobs: { language: ReaderLanguage; parts: Part[] }[] = [];
  const open = new Map<ReaderLanguage, { parts: Part[]; room: number }>();
  for (const part of parts) {
    const { language, text } = part;
    const current = open.get(language);
    if (current !== undefined && current.room >= text.length) {
      current.parts.push(part);
      current.room -= text.length;
      continue;
    }
    const job = { language, parts: [part] };
    jobs.push(job);
    open.set(language, { parts: job.parts, room: JOB_CHARACTERS - text.length });
  }
  return jobs.map((job) => ({ ...job, texts: job.parts.map(({ text }) => text) }));
}

/** Splits a text between sentences into parts that end with the first sentence beyond `JOB_CHARACTERS`. */
export function partsOf(text: string): { start: number; text: string }[] {
  if (text.length <= JOB_CHARACTERS) return [{ start: 0, text }];
  const sentences = splitSentences(text).map(({ start }) => start);
  return cutAt(text, startsApart([0, ...sentences], JOB_CHARACTERS));
}
