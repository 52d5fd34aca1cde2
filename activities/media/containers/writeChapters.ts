import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProbedChapter } from './parseProbe.ts';

const CHAPTERS_FILE = 'chapters.json';
/** Bounds of the file: a container may list chapters without end, with titles of any length (UTF-16 units). */
const [MAX_CHAPTERS, MAX_TITLE] = [1_000, 1_000];

/**
 * Writes the chapters of a container to a file, as JSON.
 * @returns its name, or null without chapters
 */
export async function writeChapters(outDir: string, chapters: readonly ProbedChapter[]): Promise<string | null> {
  if (chapters.length === 0) return null;
  const kept = chapters.slice(0, MAX_CHAPTERS).map(({ start, title }) => ({ start, title: title.slice(0, MAX_TITLE) }));
  await writeFile(join(outDir, CHAPTERS_FILE), JSON.stringify(kept));
  return CHAPTERS_FILE;
}
