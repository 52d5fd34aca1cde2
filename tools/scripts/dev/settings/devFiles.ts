/** The stack's files in its data folder, readable only by their owner. */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasKeyFormat, newKey } from '../../../../domain/accounts/keyFormats.ts';
import { isTenantId, newTenantId } from '../../../../domain/accounts/tenantIds.ts';

const KEYS_NAME = 'dev-keys.json';
const DESCRIPTION_NAME = 'dev.json';
const SAMPLES_PORT_NAME = 'samples-port';

/** Keys that must survive a restart. Stored in clear, because they only open a development stack on loopback. */
export interface DevKeys {
  secretKey: string;
  projectId: string;
  projectKey: string;
  cabinetToken: string;
  siteId: string;
  siteApiKey: string;
  siteTagKey: string;
}

/** The content of dev.json: what a program needs to talk to the running stack. */
export interface DevDescription {
  content_url: string;
  analytics_url: string;
  cabinet_url: string;
  cabinet_token: string;
  /** Signs the local administrator in once, within ten minutes of the start; null when that user is blocked. */
  cabinet_sign_in_url: string | null;
  collect_url: string;
  database_url: string;
  temporal_address: string;
  temporal_ui_url: string | null;
  project: { id: string; key: string };
  site: { id: string; api_key: string; tag_key: string };
  /** Prometheus metrics of each service. */
  metrics_urls: Record<string, string>;
  pids: Record<string, number>;
}

/** Writes atomically, with mode 0600 from the first byte. */
async function writePrivate(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

async function readObject(path: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${path} is not JSON: fix it, or delete it to get new keys`, { cause: error });
  }
}

/**
 * Loads the keys of a data folder and creates missing ones.
 * @param givenSecretKey replaces the stored one: data that other programs encrypt must match the running services.
 */
export async function loadKeys(dataDir: string, givenSecretKey = ''): Promise<DevKeys> {
  const stored = await readObject(join(dataDir, KEYS_NAME));
  const keep = (name: keyof DevKeys, good: (text: string) => boolean, make: () => string): string => {
    const value = stored[name];
    return typeof value === 'string' && good(value) ? value : make();
  };
  return {
    secretKey:
      givenSecretKey ||
      keep(
        'secretKey',
        (text) => text.length >= 32,
        () => randomBytes(32).toString('base64'),
      ),
    projectId: keep('projectId', isTenantId, newTenantId),
    projectKey: keep(
      'projectKey',
      (text) => hasKeyFormat('project', text),
      () => newKey('project'),
    ),
    cabinetToken: keep(
      'cabinetToken',
      (text) => hasKeyFormat('cabinet', text),
      () => newKey('cabinet'),
    ),
    siteId: keep('siteId', isTenantId, newTenantId),
    siteApiKey: keep(
      'siteApiKey',
      (text) => hasKeyFormat('site', text),
      () => newKey('site'),
    ),
    siteTagKey: keep(
      'siteTagKey',
      (text) => hasKeyFormat('tag', text),
      () => newKey('tag'),
    ),
  };
}

export async function saveKeys(dataDir: string, keys: DevKeys): Promise<void> {
  await writePrivate(join(dataDir, KEYS_NAME), keys);
}

export async function writeDescription(dataDir: string, description: DevDescription): Promise<void> {
  await writePrivate(join(dataDir, DESCRIPTION_NAME), description);
}

export async function removeDescription(dataDir: string): Promise<void> {
  await rm(join(dataDir, DESCRIPTION_NAME), { force: true });
}

/** Reads the description of the stack that runs on a data folder; null when none is running. */
export async function readDescription(dataDir: string): Promise<DevDescription | null> {
  const content = await readObject(join(dataDir, DESCRIPTION_NAME));
  return typeof content.database_url === 'string' ? (content as unknown as DevDescription) : null;
}

/** Reads the port of the samples' last server; 0 when there was none. */
export async function readSamplesPort(dataDir: string): Promise<number> {
  const port = Number(await readFile(join(dataDir, SAMPLES_PORT_NAME), 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
}

export async function saveSamplesPort(dataDir: string, port: number): Promise<void> {
  await writePrivate(join(dataDir, SAMPLES_PORT_NAME), port);
}
