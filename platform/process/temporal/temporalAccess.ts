/**
 * Temporal's address and credentials, from the variables that Temporal's own tools and SDKs read: TLS, a client
 * certificate, an API key (https://docs.temporal.io/develop/environment-configuration).
 */
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { SettingsReader } from '../settingsReader.ts';

/** The options that a client's connection and a worker's share. */
export type TemporalAccess = Pick<
  ReturnType<typeof loadClientConnectConfig>['connectionOptions'],
  'tls' | 'apiKey' | 'metadata'
>;

export interface TemporalSettings {
  address: string;
  namespace: string;
  access: TemporalAccess;
}

const DEFAULTS = { address: '127.0.0.1:7233', namespace: 'default' };
/** The variables that are read; no other variable of the library is used. */
const SETTINGS = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_PROFILE',
] as const;
const CERTIFICATE = ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_CERT_DATA'];
const KEY = ['TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_CLIENT_KEY_DATA'];

/** Reads the settings. No fault repeats a key or a certificate. */
export function readTemporalSettings(reader: SettingsReader): TemporalSettings {
  const { faults } = reader;
  const overrideEnvVars = nonEmptySettings(reader);
  faults.push(...faultsOf(overrideEnvVars));
  try {
    // A file in a home folder is not looked for: only a named one counts.
    const disableFile = !('TEMPORAL_CONFIG_FILE' in overrideEnvVars);
    const { connectionOptions, namespace } = loadClientConnectConfig({
      disableFile,
      overrideEnvVars,
      configFileStrict: true,
    });
    const { address = DEFAULTS.address, tls, apiKey, metadata } = connectionOptions;
    const access = {
      ...(tls !== undefined && { tls }),
      ...(apiKey !== undefined && { apiKey }),
      ...(metadata && { metadata }),
    };
    return { address, namespace: namespace ?? DEFAULTS.namespace, access };
  } catch (error) {
    faults.push(`TEMPORAL_…: ${error instanceof Error ? error.message : String(error)}`);
    return { ...DEFAULTS, access: {} };
  }
}

/** Returns the variables without the empty ones: docker-compose.yml passes on each variable that .env may set. */
function nonEmptySettings(reader: SettingsReader): Record<string, string> {
  return Object.fromEntries(
    SETTINGS.flatMap((name) => {
      const text = reader.text(name, '');
      return text === '' ? [] : [[name, text]];
    }),
  );
}

/** Returns faults that the library would ignore silently. */
function faultsOf(env: Record<string, string>): string[] {
  const has = (names: readonly string[]): boolean => names.some((name) => name in env);
  const faults: string[] = [];
  if (has(CERTIFICATE) !== has(KEY))
    faults.push(`${CERTIFICATE[0]} and ${KEY[0]} (or …_DATA) must be set together or not at all`);
  if ('TEMPORAL_TLS' in env && !['true', 'false', '1', '0'].includes(env['TEMPORAL_TLS'] ?? ''))
    faults.push(`TEMPORAL_TLS="${env['TEMPORAL_TLS']}" is neither true nor false`);
  return faults;
}
