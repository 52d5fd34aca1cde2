/** Finds the outside programs of a development stack or a test run, and fetches those that are missing. */
import { dirname } from 'node:path';
import { chooseCacheDir } from './cache.ts';
import { resolveDuckdbExtensions as resolveDuckdbExtensionsIn } from './duckdbExtensions.ts';
import { resolveFfmpeg } from './ffmpegBinary.ts';
import { resolvePostgres } from './postgresBinary.ts';
import { resolvePostgresTools as resolvePostgresToolsIn } from './postgresTools.ts';
import { resolveS3Server as resolveS3ServerIn } from './s3Server.ts';
import { resolveSentenceEncoder } from './sentenceEncoder.ts';
import type { EngineContext, Env, Report } from './sources.ts';
import { resolveTemporal } from './temporalBinary.ts';
import { resolveTessdata } from './tessdata.ts';
import { resolveTestServer as resolveTestServerIn } from './testServer.ts';

export { EngineError } from './engineError.ts';

export interface Engines {
  /** Folder of `postgres` and `initdb`. */
  postgresBinDir: string;
  /** The `temporal` program. */
  temporal: string;
  /** The `ffmpeg` program. */
  ffmpeg: string;
  /** Folders that hold `<language>.traineddata[.gz]`. */
  tessdataDirs: string[];
}

export interface ResolveOptions {
  /** Receives one line for each thing worth telling: a download, its progress, a warning. */
  report: Report;
  env: Env;
}

async function createContext({ env, report }: ResolveOptions): Promise<EngineContext> {
  return { env, report, cacheDir: await chooseCacheDir(env) };
}

/**
 * All programs of the development stack, as absolute paths. The first time it downloads up to 115 MB.
 * @throws {EngineError} one line that names what is missing and the fix.
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

/** One program only, for what needs no others. */
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

/** See duckdbExtensions.ts. @throws {EngineError} one line that names the fix. */
export async function resolveDuckdbExtensions(options: ResolveOptions): Promise<string> {
  return resolveDuckdbExtensionsIn(await createContext(options));
}

/**
 * Temporal's time-skipping test server, for tests.
 * @returns the path for `TestWorkflowEnvironment.createTimeSkipping({server: {executable: {type: 'existing-path', path}}})`.
 * @throws {EngineError} one line that names the fix.
 */
export async function resolveTestServer(options: ResolveOptions): Promise<string> {
  return resolveTestServerIn(await createContext(options));
}

/** See s3Server.ts. @throws {EngineError} one line that names the fix. */
export async function resolveS3Server(options: ResolveOptions): Promise<string> {
  return resolveS3ServerIn(await createContext(options));
}

/** Folder of pg_dump, pg_restore, psql and pg_basebackup, see postgresTools.ts. @throws {EngineError} one line that names the fix. */
export async function resolvePostgresTools(options: ResolveOptions): Promise<string> {
  return dirname(await resolvePostgresToolsIn(await createContext(options)));
}
