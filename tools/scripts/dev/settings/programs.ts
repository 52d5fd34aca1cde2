/** Finds the external programs that this start needs, except those of external servers. */
import type { Env } from '../../../../config.ts';
import {
  resolveDuckdbExtensions,
  resolveEngine,
  resolveNudityModelDir,
  resolveSentenceEncoderDir,
  resolveTextReaderDirs,
  resolveTessdataDirs,
  resolveVoiceModelDir,
} from '../../engines/index.ts';
import type { TextReaderDirs } from '../../engines/models/textReaders.ts';
import type { DevSettings } from './devSettings.ts';

export interface Programs {
  /** Null when the server is external. */
  postgresBinDir: string | null;
  temporal: string | null;
  ffmpeg: string;
  tessdataDirs: string[];
  /** Null when it is unavailable: vectors are lexical then. */
  sentenceEncoderDir: string | null;
  /** Null when it is unavailable: pictures are not judged then. */
  nudityModelDir: string | null;
  /** Null when it is unavailable: voices are not detected then. */
  voiceModelDir: string | null;
  textReaders: TextReaderDirs;
  duckdbExtensionsDir: string;
}

/** @throws {EngineError} with one line that names what is missing and the fix. */
export async function findPrograms(settings: DevSettings, env: Env, report: (line: string) => void): Promise<Programs> {
  const options = { report, env };
  const [postgresBinDir, temporal, ffmpeg, ...rest] = await Promise.all([
    settings.databaseUrl === null ? resolveEngine('postgres', options) : null,
    settings.temporalAddress === null ? resolveEngine('temporal', options) : null,
    resolveEngine('ffmpeg', options),
    resolveTessdataDirs(options),
    resolveSentenceEncoderDir(options),
    resolveNudityModelDir(options),
    resolveVoiceModelDir(options),
    resolveTextReaderDirs(options),
    resolveDuckdbExtensions(options),
  ]);
  const [tessdataDirs, sentenceEncoderDir, nudityModelDir, voiceModelDir, textReaders, duckdbExtensionsDir] = rest;
  const models = { sentenceEncoderDir, nudityModelDir, voiceModelDir, textReaders };
  return { postgresBinDir, temporal, ffmpeg, tessdataDirs, ...models, duckdbExtensionsDir };
}
