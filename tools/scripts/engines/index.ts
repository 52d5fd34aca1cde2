/** Finds the external programs of a development stack or a test run, and downloads missing ones. */
import { dirname } from 'node:path';
import { chooseCacheDir } from './fetch/cache.ts';
import { resolveDuckdbExtensions as resolveDuckdbExtensionsIn } from './programs/duckdbExtensions.ts';
import { resolveFfmpeg } from './programs/ffmpegBinary.ts';
import { resolvePostgres } from './programs/postgresBinary.ts';
import { resolvePostgresTools as resolvePostgresToolsIn } from './programs/postgresTools.ts';
import { resolveS3Server as resolveS3ServerIn } from './programs/s3Server.ts';
import { resolveNudityModel } from './models/nudityModel.ts';
import { resolveSentenceEncoder } from './models/sentenceEncoder.ts';
import type { EngineContext, Env, Report } from './fetch/sources.ts';
import { resolveTemporal } from './programs/temporalBinary.ts';
import { resolveTessdata } from './models/tessdata.ts';
import { resolveTextReaders, type TextReaderDirs } from './models/textReaders.ts';
import { resolveVoiceModel } from './models/voiceModel.ts';
import { resolveTestServer as resolveTestServerIn } from './programs/testServer.ts';

export { EngineError } from './fetch/engineError.ts';

export interface Engines {
  /** Folder of `postgres` and `initdb`. */
  postgresBinDir: string;
  /** Path of the `temporal` program. */
  temporal: string;
  /** Path of the `ffmpeg` program. */
  ffmpeg: string;
  /** Folders with `<language>.traineddata[.gz]` files. */
  tessdataDirs: string[];
}

export interface ResolveOptions {
  /** Receives one line for each notable event: a download, its progress, a warning. */
  report: Report;
  env: Env;
  /** For callers that cannot do without optional data. */
  optionalTimeoutMs?: number;
}

async function createContext({ env, report, optionalTimeoutMs }: ResolveOptions): Promise<EngineContext> {
  return { env, report, cacheDir: await chooseCacheDir(env), optionalTimeoutMs };
}

/**
 * Returns all programs of the development stack, as absolute paths. The first call downloads up to 115 MB.
 * @throws {EngineError} with one line that names what is missing and the fix.
 */
export async function resolveEngines(options: ResolveOptions): Promise<Engines> {
  const context = await createContext(options);
  const [postgresBinDir, temporal, ffmpeg, tessdataDirs] = await Promise.all([
    resolvePostgres(context),
    resolveTemporal(context),
    resolveFfmpeg(context),
    resolveTessdata(context),
  ]);
  return { postgresBinDir, temporal, ffmpeg, tessdataDirs };
}

/** Returns a single program, for callers that need no others. */
export async function resolveEngine(
  engine: 'postgres' | 'temporal' | 'ffmpeg',
  options: ResolveOptions,
): Promise<string> {
  const resolvers = { postgres: resolvePostgres, temporal: resolveTemporal, ffmpeg: resolveFfmpeg };
  return resolvers[engine](await createContext(options));
}

/** See {@link resolveTessdata}. */
export async function resolveTessdataDirs(options: ResolveOptions): Promise<string[]> {
  return resolveTessdata(await createContext(options));
}

/** See {@link resolveSentenceEncoder}. */
export async function resolveSentenceEncoderDir(options: ResolveOptions): Promise<string | null> {
  return resolveSentenceEncoder(await createContext(options));
}

/** See {@link resolveNudityModel}. */
export async function resolveNudityModelDir(options: ResolveOptions): Promise<string | null> {
  return resolveNudityModel(await createContext(options));
}

/** See {@link resolveVoiceModel}. */
export async function resolveVoiceModelDir(options: ResolveOptions): Promise<string | null> {
  return resolveVoiceModel(await createContext(options));
}

/** See {@link resolveTextReaders}. */
export async function resolveTextReaderDirs(options: ResolveOptions): Promise<TextReaderDirs> {
  return resolveTextReaders(await createContext(options));
}

/** See duckdbExtensions.ts. @throws {EngineError} with one line that names the fix. */
export async function resolveDuckdbExtensions(options: ResolveOptions): Promise<string> {
  return resolveDuckdbExtensionsIn(await createContext(options));
}

/**
 * Returns Temporal's time-skipping test server, for tests.
 * @returns the path of a program whose argument is the port to listen on
 * @throws {EngineError} with one line that names the fix.
 */
export async function resolveTestServer(options: ResolveOptions): Promise<string> {
  return resolveTestServerIn(await createContext(options));
}

/** See s3Server.ts. @throws {EngineError} with one line that names the fix. */
export async function resolveS3Server(options: ResolveOptions): Promise<string> {
  return resolveS3ServerIn(await createContext(options));
}

/**
 * Returns the folder of pg_dump, pg_restore, psql and pg_basebackup, see postgresTools.ts. @throws {EngineError} with
 * one line that names the fix.
 */
export async function resolvePostgresTools(options: ResolveOptions): Promise<string> {
  return dirname(await resolvePostgresToolsIn(await createContext(options)));
}
