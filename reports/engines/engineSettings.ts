/** Settings of the report engines. */
import type { SettingsReader } from '../../platform/process/settingsReader.ts';
import type { LakeSettings } from '../lake/lakeSettings.ts';

export interface ReportSettings {
  /** Memory, threads and the folder for temporary files apply to each engine; nothing else may use the folder. */
  lake: LakeSettings;
  /** Maximum number of reports running at a time in this process. */
  engines: number;
  /** Time limit of a report, and again of its sample. */
  seconds: number;
  sampleSeconds: number;
  lateEventHours: number;
  /** Rows of audience dimensions with fewer people are left out. */
  audienceMinPeople: number;
}

/** Variables by which Node and OpenSSL find the authorities that they trust. */
const TRUST = /^(?:NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|SSL_CERT_(?:FILE|DIR))$/;
/** DuckDB's HTTP client reads them for buckets. */
const PROXY = /^(?:https?|all|no)_proxy$/i;
/** Amazon's client reads them to find keys. */
const KEYS = /^AWS_/;

/**
 * Reads all that an engine inherits. It has to trust and to reach the same servers as its parent, and to find the keys of
 * a bucket where Amazon's client finds them; if the settings have keys, it gets no others.
 */
export function readEngineEnvironment(
  reader: SettingsReader,
  { data }: Pick<LakeSettings, 'data'>,
): Record<string, string> {
  const needed = [
    TRUST,
    ...(data.kind === 's3' ? [PROXY] : []),
    ...(data.kind === 's3' && data.credentials === null ? [KEYS] : []),
  ];
  return reader.foreign((name) => needed.some((names) => names.test(name)));
}
