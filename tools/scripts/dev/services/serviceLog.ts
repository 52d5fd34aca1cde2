/** Writes the output of each service to its own file, and shows on the screen what a developer must see. */
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const FAULTS = new Set<unknown>(['error', 'fatal']);
/** An error that recurs every second must not drown out the rest. */
const SAME_LINE_MS = 60_000;

/** A line of platform/process/logger.ts. */
interface LogLine {
  level?: unknown;
  msg?: unknown;
  err?: { message?: unknown };
  /** Set on lines of the Temporal SDK. */
  sdk?: unknown;
}

export type Stream = 'stdout' | 'stderr';

export interface ServiceLog {
  line(text: string, stream: Stream): void;
  close(): Promise<void>;
}

/** Writes `<dataDir>/logs/<name>.log`, which is truncated when the stack starts. */
export function openServiceLog(dataDir: string, name: string, report: (line: string) => void): ServiceLog {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const file = createWriteStream(join(folder, `${name}.log`));
  file.on('error', (error) => report(`${name}: its log cannot be written: ${error.message}`));
  const isNews = makeRepeatFilter();
  return {
    line(text, stream) {
      file.write(`${text}\n`);
      const shown = problemOf(text, stream);
      if (shown !== null && isNews(shown)) report(`${name}: ${shown}`);
    },
    close: () => new Promise((resolve) => file.end(() => resolve())),
  };
}

/**
 * Returns a warning or an error in words; null for other lines. Standard error is meant for people and shown unchanged.
 * Warnings of the Temporal SDK are hidden, because they concern intended settings (a worker without workflows).
 */
export function problemOf(text: string, stream: Stream): string | null {
  const entry = parseLine(text);
  if (entry === null) return stream === 'stderr' && text.trim() !== '' ? text : null;
  const shown = FAULTS.has(entry.level) || (entry.level === 'warn' && entry.sdk === undefined);
  if (!shown) return null;
  const message = typeof entry.msg === 'string' ? entry.msg : 'something went wrong';
  const cause =
    typeof entry.err?.message === 'string' && entry.err.message !== message ? ` (${entry.err.message})` : '';
  return `${message}${cause}`;
}

/** @returns a function that returns true for a line that did not occur within the last minute. */
export function makeRepeatFilter(now: () => number = () => performance.now()): (line: string) => boolean {
  const seen = new Map<string, number>();
  return (line) => {
    const last = seen.get(line);
    if (last !== undefined && now() - last < SAME_LINE_MS) return false;
    for (const [old, at] of seen) if (now() - at >= SAME_LINE_MS) seen.delete(old);
    seen.set(line, now());
    return true;
  };
}

function parseLine(text: string): LogLine | null {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return null;
  }
}
