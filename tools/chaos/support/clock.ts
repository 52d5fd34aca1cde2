/** Gives one process a wrong wall clock. */
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Paths of libfaketime on Debian and others (the package `libfaketime`; optional). */
const LIBRARIES = [
  '/usr/lib/*/faketime/libfaketime.so.1',
  '/usr/lib/faketime/libfaketime.so.1',
  '/usr/lib64/faketime/libfaketime.so.1',
  '/usr/local/lib/faketime/libfaketime.so.1',
];

export interface WrongClock {
  /** To be added to the process's environment. */
  env: Record<string, string>;
  /** Description for the report. */
  how: string;
}

/**
 * With libfaketime the whole process is affected, including native code (Temporal's core, TLS); without it only
 * JavaScript is, which makes all decisions of this product. Monotonic clocks stay right.
 * @param seconds ahead; negative: behind
 */
export async function wrongClock(seconds: number): Promise<WrongClock> {
  const library = process.env['FAKETIME_LIBRARY'] ?? (await findLibrary());
  if (library !== null) {
    const offset = `${seconds < 0 ? '' : '+'}${seconds}s`;
    return {
      env: { LD_PRELOAD: library, FAKETIME: offset, DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
      how: 'libfaketime',
    };
  }
  const preload = pathToFileURL(join(import.meta.dirname, 'shiftedDate.ts')).href;
  return {
    env: { NODE_OPTIONS: `--import ${preload}`, CHAOS_CLOCK_OFFSET_MS: String(seconds * 1000) },
    how: 'Date of JavaScript',
  };
}

async function findLibrary(): Promise<string | null> {
  for await (const path of glob(LIBRARIES)) return path;
  return null;
}
