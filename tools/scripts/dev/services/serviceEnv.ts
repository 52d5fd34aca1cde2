/** Builds the environment of every service of the stack. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '../../../../config.ts';
import type { TextReaderDirs } from '../../engines/models/textReaders.ts';
import { SAMPLE_DAYS } from '../sampleTraffic/trafficPlan.ts';
import type { DevSettings } from '../settings/devSettings.ts';

/** The days of the sample traffic, plus a margin for a start after an interrupted one. */
const SAMPLE_LATE_HOURS = 24 * (SAMPLE_DAYS + 10);

/** On loopback all visitors share one address, including those of load tests. */
const SHARED_ADDRESS_LIMIT = '10000000';

export interface ServiceEnvInput {
  /** The launcher's own environment: provider settings and the like are passed on. */
  env: Env;
  settings: DevSettings;
  databaseUrl: string;
  temporalAddress: string;
  /** Null when an external server has its own page elsewhere. */
  temporalUiUrl: string | null;
  secretKey: string;
  ffmpegPath: string;
  tessdataDirs: readonly string[];
  sentenceEncoderDir: string | null;
  nudityModelDir: string | null;
  voiceModelDir: string | null;
  textReaders: TextReaderDirs;
  duckdbExtensionsDir: string;
  /** File of certificates, see writeCaBundle. */
  caFile: string;
  /** Address of the samples' server. */
  demoHost: string;
}

/**
 * Builds settings for loopback over plain http. Besides the public Internet, outgoing requests may reach what
 * ALLOW_NETWORKS opens and the loopback address of the samples' server; 127.0.0.1 itself stays forbidden, as in
 * production, until the developer opens it.
 */
export function serviceEnv(input: ServiceEnvInput): Env {
  const { env, settings } = input;
  const networks = [env.ALLOW_NETWORKS?.trim(), `${input.demoHost}/32`].filter(Boolean);
  return {
    ...env,
    ATTUNE_DATA_DIR: settings.dataDir,
    HOST: '127.0.0.1',
    PORT: String(settings.port),
    PUBLIC_URL: env.PUBLIC_URL?.trim() || `http://127.0.0.1:${settings.port}`,
    REQUIRE_HTTPS: env.REQUIRE_HTTPS?.trim() || 'false',
    DATABASE_URL: input.databaseUrl,
    TEMPORAL_ADDRESS: input.temporalAddress,
    TEMPORAL_UI_URL: env.TEMPORAL_UI_URL?.trim() || input.temporalUiUrl || '',
    SECRET_KEY: input.secretKey,
    ALLOW_NETWORKS: networks.join(','),
    FFMPEG_PATH: input.ffmpegPath,
    TESSDATA_DIRS: input.tessdataDirs.join(','),
    SENTENCE_ENCODER_DIR: input.sentenceEncoderDir ?? '',
    NUDITY_MODEL_DIR: input.nudityModelDir ?? '',
    VOICE_MODEL_DIR: input.voiceModelDir ?? '',
    RUSSIAN_NETWORKS_DIR: input.textReaders.russianNetworks ?? '',
    RUSSIAN_WORDS_DIR: input.textReaders.russianWords ?? '',
    ENGLISH_NETWORK_DIR: input.textReaders.english ?? '',
    DUCKDB_EXTENSIONS_DIR: input.duckdbExtensionsDir,
    NODE_EXTRA_CA_CERTS: input.caFile,
    // There is only one API process here.
    RATE_LIMITS: env.RATE_LIMITS?.trim() || 'memory',
    COLLECT_IP_REQUESTS_PER_MINUTE: env.COLLECT_IP_REQUESTS_PER_MINUTE?.trim() || SHARED_ADDRESS_LIMIT,
    ...(settings.sampleTrafficDays !== null && sampleTrafficEnv(env)),
  };
}

/** Returns the environment for a service that neither signs nor decrypts. */
export function withoutSecretKey({ SECRET_KEY: _secret, ...env }: Env): Env {
  return env;
}

/** Accepts traffic from the past, and trusts its sender about each visitor's address. */
function sampleTrafficEnv(env: Env): Env {
  const proxies = [env.TRUSTED_PROXIES?.trim(), '127.0.0.1'].filter(Boolean);
  return {
    LATE_EVENT_HOURS: env.LATE_EVENT_HOURS?.trim() || String(SAMPLE_LATE_HOURS),
    TRUSTED_PROXIES: proxies.join(','),
  };
}

/**
 * Writes the developer's own certificates and that of the samples' server into one file, because Node reads only one.
 */
export async function writeCaBundle(dataDir: string, givenFile: string | undefined, ownPem: string): Promise<string> {
  const path = join(dataDir, 'dev-ca.pem');
  const given = givenFile?.trim() ? await readFile(givenFile.trim(), 'utf8') : '';
  await writeFile(path, `${given.trimEnd()}\n${ownPem}`.trimStart());
  return path;
}
