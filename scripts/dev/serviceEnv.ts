/** The environment that every service of the stack is started with. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '../../config.ts';
import type { DevSettings } from './settings.ts';

/** 90 days, and some more for a start after an interrupted one. */
const SAMPLE_LATE_HOURS = 24 * 100;

/** On loopback all visitors come from one address, those of tests under load too. */
const EVERYBODY_IS_HERE = '10000000';

export interface ServiceEnvInput {
  /** The launcher's own environment: provider settings and the like go through. */
  env: Env;
  settings: DevSettings;
  databaseUrl: string;
  temporalAddress: string;
  secretKey: string;
  ffmpegPath: string;
  tessdataDirs: readonly string[];
  sentenceEncoderDir: string | null;
  duckdbExtensionsDir: string;
  /** File of certificates, see writeCaBundle. */
  caFile: string;
  /** The address of the samples' server. */
  demoHost: string;
}

/**
 * Loopback over plain http. Outgoing requests may reach, beside the public Internet, what
 * ALLOW_NETWORKS opens and the one loopback address of the samples' server: 127.0.0.1 itself stays
 * refused, as in production, until the developer opens it.
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
    SECRET_KEY: input.secretKey,
    ALLOW_NETWORKS: networks.join(','),
    FFMPEG_PATH: input.ffmpegPath,
    TESSDATA_DIRS: input.tessdataDirs.join(','),
    SENTENCE_ENCODER_DIR: input.sentenceEncoderDir ?? '',
    DUCKDB_EXTENSIONS_DIR: input.duckdbExtensionsDir,
    NODE_EXTRA_CA_CERTS: input.caFile,
    // One API process runs here.
    RATE_LIMITS: env.RATE_LIMITS?.trim() || 'memory',
    COLLECT_IP_REQUESTS_PER_MINUTE: env.COLLECT_IP_REQUESTS_PER_MINUTE?.trim() || EVERYBODY_IS_HERE,
    ...(settings.sampleTrafficDays !== null && sampleTrafficEnv(env)),
  };
}

/** For a service that signs and decrypts nothing. */
export function withoutSecretKey({ SECRET_KEY: _secret, ...env }: Env): Env {
  return env;
}

/** Traffic of the past is taken, and its sender believed which address each visitor has. */
function sampleTrafficEnv(env: Env): Env {
  const proxies = [env.TRUSTED_PROXIES?.trim(), '127.0.0.1'].filter(Boolean);
  return {
    LATE_EVENT_HOURS: env.LATE_EVENT_HOURS?.trim() || String(SAMPLE_LATE_HOURS),
    TRUSTED_PROXIES: proxies.join(','),
  };
}

/** The developer's own certificates and that of the samples' server in one file, for Node reads one. */
export async function writeCaBundle(dataDir: string, givenFile: string | undefined, ownPem: string): Promise<string> {
  const path = join(dataDir, 'dev-ca.pem');
  const given = givenFile?.trim() ? await readFile(givenFile.trim(), 'utf8') : '';
  await writeFile(path, `${given.trimEnd()}\n${ownPem}`.trimStart());
  return path;
}
