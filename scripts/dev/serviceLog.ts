/** What services print: everything into a file each, what a developer must see onto the screen. */
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Levels of process/logger.ts that a developer must see. */
const NOTABLE = new Set<unknown>(['warn', 'error', 'fatal']);

interface LogLine {
  level?: unknown;
  msg?: unknown;
  err?: { message?: unknown };
}

export interface ServiceLog {
  line(text: string, stream: 'stdout' | 'stderr'): void;
  close(): Promise<void>;
}

/** Appends to `<dataDir>/logs/<name>.log`, which starts anew with the stack. */
export function openServiceLog(dataDir: string, name: string, report: (line: string) => void): ServiceLog {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const file = createWriteStream(join(folder, `${name}.log`));
  file.on('error', (error) => report(`${name}: its log cannot be written: ${error.message}`));
  return {
    line(text, stream) {
      file.write(`${text}\n`);
      const shown = notable(text, stream);
      if (shown !== null) report(`${name}: ${shown}`);
    },
    close: () => new Promise((resolve) => file.end(() => resolve())),
  };
}

/** A warning or an error in words; null for the rest. Standard error is for people and shown as it is. */
export function notable(text: string, stream: 'stdout' | 'stderr'): string | null {
  const entry = parseLine(text);
  if (entry === null) return stream === 'stderr' && text.trim() !== '' ? text : null;
  if (!NOTABLE.has(entry.level)) return null;
  const message = typeof entry.msg === 'string' ? entry.msg : 'something went wrong';
  const cause = typeof entry.err?.message === 'string' && entry.err.message !== message ? ` (${entry.err.message})` : '';
  return `${message}${cause}`;
}

function parseLine(text: string): LogLine | null {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return null;
  }
}
