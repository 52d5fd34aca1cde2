/** Files, processes and log lines that a stack leaves on the machine. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEPT_DOWNLOADS, MAX_KEPT } from '../../../activities/media/keptDownloads.ts';
import { processesOf } from './launcher.ts';
import type { WholeStack } from './stack.ts';

/** Folders of DuckDB: each lake process and each report engine has one as long as it lives. */
const DUCKDB_FOLDERS = ['duckdb', 'reports'];

/**
 * Lists the folders of media in progress, the folders of DuckDB whose process no longer exists, and complete
 * downloads beyond those that killed workers may leave for the next attempt (activities/media/keptDownloads.ts).
 */
export async function workFolders({ dataDir }: WholeStack): Promise<string[]> {
  const work = join(dataDir, 'work');
  const left = await Promise.all(
    DUCKDB_FOLDERS.map(async (folder) => {
      const names = await readdir(join(work, folder)).catch(() => []);
      return names.filter((name) => !isAlive(Number.parseInt(name, 10))).map((name) => `${folder}/${name}`);
    }),
  );
  const downloads = (await readdir(join(work, KEPT_DOWNLOADS)).catch(() => [])).slice(MAX_KEPT);
  const media = (await readdir(work)).filter((name) => ![...DUCKDB_FOLDERS, KEPT_DOWNLOADS].includes(name));
  return [...media, ...left.flat(), ...downloads];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Processes that belong to a stack, and stay when there is no work: PostgreSQL's own, and the engines of reports, whose
 * environment names the stack's folder because they trust the certificate authority in it.
 */
const RESIDENT = /^\d+ (?:(?:\S*\/)?postgres\b|.*\breports\/engines\/child\.ts\b)/;

/** Lists the stack's processes other than the launcher's children and the resident ones: usually decoders. */
export async function strayProcesses(stack: WholeStack): Promise<string[]> {
  const kept = new Set(Object.values(await stack.pids()).map(String));
  const all = await processesOf(stack.dataDir);
  // A process that is ending has no command line any more, for example a PostgreSQL backend between two
  // connections.
  const isEnding = (line: string): boolean => /^\d+ *$/.test(line);
  return all.filter((line) => !kept.has(line.split(' ')[0] ?? '') && !isEnding(line) && !RESIDENT.test(line));
}

/** Reads everything that the stack's services logged. (The launcher's screen shows developers their own keys.) */
export async function serviceLogs({ dataDir }: WholeStack): Promise<string> {
  const folder = join(dataDir, 'logs');
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  return files.join('\n');
}

/** Returns the log lines that contain one of the words, with the words removed. */
export function linesWith(log: string, words: readonly string[]): string[] {
  const found = words.filter((word) => log.includes(word));
  return log
    .split('\n')
    .filter((line) => found.some((word) => line.includes(word)))
    .map((line) => found.reduce((text, word) => text.replaceAll(word, '<found>'), line));
}
