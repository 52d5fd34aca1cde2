/** An outside program has several sources, tried in order; none of them is the only one. */
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { EngineError } from './engineError.ts';

export type Env = Record<string, string | undefined>;
export type Report = (line: string) => void;

/** What the sources of one run share. */
export interface EngineContext {
  env: Env;
  report: Report;
  /** Folder of downloaded programs. */
  cacheDir: string;
}

/** A path, or words on why this source has none. */
export type Found = { path: string } | { reason: string };

export interface Source {
  /** Short, for the error text: "PATH", "TEMPORAL_CLI". */
  name: string;
  find(context: EngineContext): Promise<Found>;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** First executable of that name on the PATH; null when there is none. */
export async function onPath(name: string, env: Env): Promise<string | null> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (isAbsolute(folder) && (await isExecutable(join(folder, name)))) return join(folder, name);
  }
  return null;
}

/** A source that is one setting. A setting that names no program is a fault of its own, not a reason to look further. */
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
 * The first source that has the program.
 * @param fix what a person can do when none has it, for example "set TEMPORAL_CLI".
 * @throws {EngineError} one line with every source's reason and the fix.
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
