/** What a stack leaves on the machine and in its logs. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEPT_DOWNLOADS, MOST_KEPT } from '../../../activities/media/keptDownloads.ts';
import { processesOf } from './launcher.ts';
import type { WholeStack } from './stack.ts';

/** Folders of DuckDB: the processes of the lake and the engines of reports have one each as long as they live. */
const DUCKDB_FOLDERS = ['duckdb', 'reports'];

/**
 * Lists the folders of media that are being worked on, the folders of DuckDB whose process is gone, and whole
 * downloads beyond those that killed workers may leave to the next attempt (activities/media/keptDownloads.ts).
 */
export async function workFolders({ dataDir }: WholeStack): Promise<string[]> {
  const work = join(dataDir, 'work');
  const left = await Promise.all(
    DUCKDB_FOLDERS.map(async (folder) => {
      const names = await readdir(join(work, folder)).catch(() => []);
      return names.filter((name) => !isAlive(Number.parseInt(name, 10))).map((name) => `${folder}/${name}`);
    }),
  );
  const downloads = (await readdir(join(work, KEPT_DOWNLOADS)).catch(() => [])).slice(MOST_KEPT);
  const media = (await readdir(work)).filter((name) => ![...DUCKDB_FOLDERS, KEPT_DOWNLOADS].includes(name));
  return [...media, ...left.flat(), ...downloads];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another account's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Processes of the stack beside those that the launcher keeps and PostgreSQL's own: decoders, as a rule. */
export async function strayProcesses(stack: WholeStack): Promise<string[]> {
  const kept = new Set(Object.values(await stack.pids()).map(String));
  const all = await processesOf(stack.dataDir);
  // One that is ending has no command line any more: a backend of PostgreSQL between two connections, for example.
  const isEnding = (line: string): boolean => /^\d+ *$/.test(line);
  return all.filter(
    (line) => !kept.has(line.split(' ')[0] ?? '') && !isEnding(line) && !/^\d+ (\S*\/)?postgres\b/.test(line),
  );
}

/** Everything the stack's services wrote. (The launcher's screen greets the developer with his own keys.) */
export async function serviceLogs({ dataDir }: WholeStack): Promise<string> {
  const folder = join(dataDir, 'logs');
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  return files.join('\n');
}

/** Log lines that hold one of the words; the words themselves are not repeated. */
export function linesWith(log: string, words: readonly string[]): string[] {
  const found = words.filter((word) => log.includes(word));
  return log
    .split('\n')
    .filter((line) => found.some((word) => line.includes(word)))
    .map((line) => found.reduce((text, word) => text.replaceAll(word, '<found>'), line));
}
