/** Reads the settings of the development stack and reports all faults at once. */
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig, type Env } from '../../../../config.ts';
import { SAMPLE_DAYS } from '../sampleTraffic/trafficPlan.ts';
import type { WantedPort } from './ports.ts';

/** When to send the samples: if the project has none of them, on this start in any case, or never. */
export type DemoMode = 'first' | 'always' | 'never';

export interface DevSettings {
  dataDir: string;
  port: number;
  postgresPort: number;
  temporalPort: number;
  temporalUiPort: number;
  /** External servers to use instead of starting them. */
  databaseUrl: string | null;
  temporalAddress: string | null;
  demo: DemoMode;
  /** Number of days of traffic that are sent to the development site, once; null for none. */
  sampleTrafficDays: number | null;
  /** Restarts services when their sources are saved. */
  watch: boolean;
}

export interface SettingsResult {
  settings: DevSettings;
  faults: string[];
}

/** Not 5432, the usual port of a system's PostgreSQL. */
const DEFAULT_POSTGRES_PORT = 5439;

export const USAGE = `npm start [-- options]
  --no-demo    do not send the samples; by default they are sent if the project has none
  --demo       send the samples again
  --sample-traffic   fill the development site with ${SAMPLE_DAYS} days of traffic, once for each data folder
  --sample-days N    send N days of it, from 1 to ${SAMPLE_DAYS}
  --no-watch   do not restart services when their sources are saved
  --help       print this

Settings: ATTUNE_DATA_DIR (data/), PORT (8080), POSTGRES_PORT (${DEFAULT_POSTGRES_PORT}), TEMPORAL_PORT (7233), TEMPORAL_UI_PORT (8233);
DATABASE_URL and TEMPORAL_ADDRESS name servers to use instead of starting them; ALLOW_NETWORKS opens
networks to outgoing requests; NODE_EXTRA_CA_CERTS names certificates to trust. Every setting of the
services is passed on to them.
`;

/** @returns the settings, which are valid only if there are no faults. */
export function readSettings(env: Env, args: readonly string[]): SettingsResult {
  const faults: string[] = [];
  const port = (name: string, fallback: number): number => readPort(env, name, fallback, faults);
  const settings: DevSettings = {
    dataDir: resolve(env.ATTUNE_DATA_DIR?.trim() || 'data'),
    port: port('PORT', 8080),
    postgresPort: port('POSTGRES_PORT', DEFAULT_POSTGRES_PORT),
    temporalPort: port('TEMPORAL_PORT', 7233),
    temporalUiPort: port('TEMPORAL_UI_PORT', 8233),
    databaseUrl: readDatabaseUrl(env, faults),
    temporalAddress: readTemporalAddress(env, faults),
    ...readOptions(args, faults),
  };
  faults.push(...caFault(env), ...serviceFaults(env, settings));
  return { settings, faults };
}

/** Returns the ports that the stack itself opens; none for an external server. */
export function wantedPorts(settings: DevSettings): WantedPort[] {
  const ports: WantedPort[] = [{ setting: 'PORT', port: settings.port }];
  if (settings.databaseUrl === null) ports.push({ setting: 'POSTGRES_PORT', port: settings.postgresPort });
  if (settings.temporalAddress === null) {
    ports.push(
      { setting: 'TEMPORAL_PORT', port: settings.temporalPort },
      { setting: 'TEMPORAL_UI_PORT', port: settings.temporalUiPort },
    );
  }
  return ports;
}

function readPort(env: Env, name: string, fallback: number, faults: string[]): number {
  const text = env[name]?.trim() || String(fallback);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= 65_535) return value;
  faults.push(`${name}="${text}" is not a port: write a whole number from 1 to 65535, for example ${name}=${fallback}`);
  return fallback;
}

function readDatabaseUrl(env: Env, faults: string[]): string | null {
  const text = env.DATABASE_URL?.trim() || null;
  if (text === null || (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol))) return text;
  // The value is not repeated, because it may contain a password.
  faults.push(
    'DATABASE_URL is not an address such as postgres://attune:secret@127.0.0.1:5432/attune: fix it, or leave it out to have a server started',
  );
  return null;
}

function readTemporalAddress(env: Env, faults: string[]): string | null {
  const text = env.TEMPORAL_ADDRESS?.trim() || null;
  if (text === null || /^(\[[0-9A-Fa-f:]+\]|[\w.-]+):\d{1,5}$/.test(text)) return text;
  faults.push(
    `TEMPORAL_ADDRESS="${text}" is not host:port: write for example TEMPORAL_ADDRESS=127.0.0.1:7233, or leave it out to have a server started`,
  );
  return null;
}

const OPTIONS = {
  demo: { type: 'boolean' },
  watch: { type: 'boolean' },
  'sample-traffic': { type: 'boolean' },
  'sample-days': { type: 'string' },
} as const;

function readOptions(
  args: readonly string[],
  faults: string[],
): Pick<DevSettings, 'demo' | 'watch' | 'sampleTrafficDays'> {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS, allowNegative: true });
    const demo = values.demo === undefined ? 'first' : values.demo ? 'always' : 'never';
    const days = readSampleDays(values['sample-days'], faults);
    return { demo, watch: values.watch ?? true, sampleTrafficDays: values['sample-traffic'] === true ? days : null };
  } catch (error) {
    faults.push(
      `${(error as Error).message.split('. ')[0]}: npm start accepts --demo, --no-demo, --sample-traffic, --sample-days and --no-watch`,
    );
    return { demo: 'never', watch: false, sampleTrafficDays: null };
  }
}

function readSampleDays(text: string | undefined, faults: string[]): number {
  const days = Number(text ?? SAMPLE_DAYS);
  if (Number.isInteger(days) && days >= 1 && days <= SAMPLE_DAYS) return days;
  faults.push(`--sample-days "${text}" is not a whole number from 1 to ${SAMPLE_DAYS}`);
  return SAMPLE_DAYS;
}

/**
 * Checks the file of certificates: Node only warns about a missing file, and then every connection would fail
 * separately.
 */
function caFault(env: Env): string[] {
  const path = env.NODE_EXTRA_CA_CERTS?.trim();
  if (!path) return [];
  try {
    accessSync(path, constants.R_OK);
    return [];
  } catch {
    return [`NODE_EXTRA_CA_CERTS="${path}" cannot be read: name a file of PEM certificates or leave it out`];
  }
}

/**
 * Finds settings that the services would refuse, before anything starts: it calls their own reader, with placeholders
 * for what the stack sets.
 */
function serviceFaults(env: Env, settings: DevSettings): string[] {
  const set = {
    PUBLIC_URL: env.PUBLIC_URL?.trim() || 'http://127.0.0.1',
    REQUIRE_HTTPS: env.REQUIRE_HTTPS?.trim() || 'false',
    DATABASE_URL: 'postgres://127.0.0.1/attune',
    SECRET_KEY: 'x'.repeat(32),
    PORT: String(settings.port),
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
  };
  try {
    loadConfig({ ...env, ...set });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [...error.faults];
    throw error;
  }
}
