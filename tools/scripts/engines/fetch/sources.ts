/** Finds external programs. Each has several sources, tried in order, so that none is indispensable. */
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { EngineError } from './engineError.ts';

export type Env = Record<string, string | undefined>;
export type Report = (line: string) => void;

/** Shared context of the sources of one run. */
export interface EngineContext {
  env: Env;
  report: Report;
  /** Folder of downloaded programs. */
  cacheDir: string;
  /** Limit of each download of optional data; by default a short one, because a start waits for it. */
  optionalTimeoutMs?: number | undefined;
}

/** A path, or the reason why this source has none. */
export type Found = { path: string } | { reason: string };

export interface Source {
  /** Short name for the error message: "PATH", "TEMPORAL_CLI". */
  name: string;
  find(context: EngineContext): Promise<Found>;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Returns the first executable of that name on the PATH; null when there is none. */
export async function onPath(name: string, env: Env): Promise<string | null> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (isAbsolute(folder) && (await isExecutable(join(folder, name)))) return join(folder, name);
  }
  return null;
}

/**
 * Creates a source from a setting. A setting that names no program is an error, not a reason to try the next source.
 */
export function settingSource(name: string, file = ''): Source {
  return {
    name,
    async find({ env }) {
      const value = env[name]?.trim();
      if (!value) return { reason: 'not set' };
      const path = join(value, file);
      if (isAbsolute(path) && (await isExecutable(path))) return { path };
      throw new EngineError(
        `${name}=${value}: ${path} is not a program that can be run; give the absolute path or remove the setting`,
      );
    },
  };
}

/**
 * Returns the program of the first source that has it.
 * @param fix what a person can do when none has it, for example "set TEMPORAL_CLI".
 * @throws {EngineError} with one line that gives every source's reason and the fix.
 */
export async function firstFound(
  engine: string,
  sources: Source[],
  fix: string,
  context: EngineContext,
): Promise<string> {
  const reasons: string[] = [];
  for (const source of sources) {
    const found = await source.find(context);
    if ('path' in found) return found.path;
    reasons.push(`${source.name}: ${found.reason}`);
  }
  throw new EngineError(`${engine} was not found (${reasons.join('; ')}): ${fix}`);
}
