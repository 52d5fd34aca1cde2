/** The outside programs that this start needs: not those of servers that are given. */
import type { Env } from '../../config.ts';
import {
  resolveDuckdbExtensions,
  resolveEngine,
  resolveSentenceEncoderDir,
  resolveTessdataDirs,
} from '../engines/index.ts';
import type { DevSettings } from './settings.ts';

export interface Programs {
  /** Null when the server is given. */
  postgresBinDir: string | null;
  temporal: string | null;
  ffmpeg: string;
  tessdataDirs: string[];
  /** Null when it cannot be had: vectors are lexical then. */
  sentenceEncoderDir: string | null;
  duckdbExtensionsDir: string;
}

/** @throws {EngineError} one line that names what is missing and the fix. */
export async function findPrograms(settings: DevSettings, env: Env, report: (line: string) => void): Promise<Programs> {
  const options = { report, env };
  const [postgresBinDir, temporal, ffmpeg, tessdataDirs, sentenceEncoderDir, duckdbExtensionsDir] = await Promise.all([
    settings.databaseUrl === null ? resolveEngine('postgres', options) : null,
    settings.temporalAddress === null ? resolveEngine('temporal', options) : null,
    resolveEngine('ffmpeg', options),
    resolveTessdataDirs(options),
    resolveSentenceEncoderDir(options),
    resolveDuckdbExtensions(options),
  ]);
  return { postgresBinDir, temporal, ffmpeg, tessdataDirs, sentenceEncoderDir, duckdbExtensionsDir };
}
