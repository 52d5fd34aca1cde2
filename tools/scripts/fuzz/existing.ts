/**
 * Creates one object of each kind, through the APIs where possible, because ids that the fuzzer invents do not exist.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** One of the APIs, or the intake of the tag, with a caller that has all permissions in it. */
export interface TargetApi {
  name: 'content' | 'analytics' | 'cabinet' | 'collect';
  /** `/content/api/v1`; below it is `/openapi.json`. */
  base: string;
  url: string;
  /** For the intake, the key of the tag. */
  token: string;
  /** A path that answers any request with the token. */
  probe: string;
  /** Ids of existing objects, by the beginning of a path (`/items/{id}`) or by a parameter of any path (`{wid}`). */
  existing: Readonly<Record<string, string>>;
}

type Caller = Omit<TargetApi, 'existing'>;

const ITEM_ID = 'fuzz-1';

/** Tenants that exist before the first request. */
export interface Tenants {
  projectId: string;
  siteId: string;
  /** A visitor of the site, because no server API creates visitors. */
  visitorId: string;
}

export async function withExisting(caller: Caller, tenants: Tenants): Promise<TargetApi> {
  return { ...caller, existing: await prepare(caller, tenants) };
}

async function prepare(caller: Caller, tenants: Tenants): Promise<Record<string, string>> {
  switch (caller.name) {
    case 'content':
      return prepareContent(caller);
    case 'analytics':
      return { '/visitors/{visitor_id}': tenants.visitorId };
    case 'cabinet':
      return prepareCabinet(caller, tenants);
    case 'collect':
      return {};
  }
}

async function prepareContent(caller: Caller): Promise<Record<string, string>> {
  await call(caller, 'PUT', `/items/${ITEM_ID}`, {
    type: 'mixed',
    title: 'Fuzz',
    media: [{ kind: 'image', url: 'https://cdn.example.com/1.jpg' }],
  });
  return { '/items/{id}': ITEM_ID };
}

async function prepareCabinet(
  caller: Caller,
  { projectId, siteId, visitorId }: Tenants,
): Promise<Record<string, string>> {
  const project = `/projects/${projectId}`;
  const webhook = await call(caller, 'POST', `${project}/webhooks`, {
    url: 'https://hooks.example.com/',
    events: ['item.processed'],
  });
  const key = await call(caller, 'POST', `${project}/keys`, { name: 'Fuzz' });
  const token = await call(caller, 'POST', '/tokens', { name: 'Fuzz' });
  const user = await call(caller, 'POST', '/users', {
    email: 'fuzz@example.com',
    password: 'correct horse battery',
    role: 'viewer',
  });
  const file = await call(caller, 'POST', `${project}/imports`, '{"id":"a","type":"text"}\n', 'application/x-ndjson');
  const rerun = await call(caller, 'POST', `${project}/rerun`, {});
  const recovery = await call(caller, 'POST', `${project}/webhooks/${webhook}/recover`, {
    since: '2026-01-19T21:00:00Z',
  });
  const siteKey = await call(caller, 'POST', `/sites/${siteId}/keys`, { name: 'Fuzz' });
  await call(caller, 'PUT', `/sites/${siteId}/goals/open`, { title: 'Fuzz', type: 'js' });
  const recording = await record(caller, siteId, visitorId);
  const { segment, savedReport, file: exported } = await prepareReports(caller, siteId);
  return {
    '{sid}': segment,
    '{report}': savedReport,
    '{export}': exported,
    '{recording}': recording,
    '{seq}': '0',
    '/sites/{id}/keys/{key_id}': siteKey,
    '/sites/{id}': siteId,
    '{visitor_id}': visitorId,
    '/projects/{id}': projectId,
    '/tokens/{id}': token,
    '/users/{id}': user,
    '{wid}': webhook,
    '{key_id}': key,
    '{import_id}': file,
    '{rerun}': rerun,
    '{rid}': recovery,
    '{code}': 'open',
    '{name}': 'level',
    '{item}': ITEM_ID,
  };
}

/** Creates a segment, a saved report that uses it, and a finished file; each is small enough to be built at once. */
async function prepareReports(
  caller: Caller,
  siteId: string,
): Promise<{ segment: string; savedReport: string; file: string }> {
  const site = `/sites/${siteId}`;
  const segment = await call(caller, 'POST', `${site}/segments`, {
    title: 'Fuzz',
    conditions: { dimension: 'device_type', op: 'eq', values: ['mobile'] },
  });
  const report = { dimensions: ['source_type'], metrics: ['visits'], segment_id: segment };
  const savedReport = await call(caller, 'POST', `${site}/saved-reports`, { title: 'Fuzz', report, last_days: 7 });
  const day = new Date().toISOString().slice(0, 10);
  const file = await call(caller, 'POST', `${site}/exports`, {
    report: { ...report, date_from: day, date_to: day, limit: 10 },
    format: 'csv',
  });
  return { segment, savedReport, file };
}

/** Creates a recording of one chunk, as the tag sends it. */
async function record(caller: Caller, siteId: string, visitorId: string): Promise<string> {
  await call(caller, 'PATCH', `/sites/${siteId}`, { recordings: true });
  await call(caller, 'POST', `/sites/${siteId}/keys`, { name: 'Fuzz', kind: 'tag' });
  const { key } = (await (
    await fetch(`${caller.url}/sites/${siteId}/tag`, { headers: { Authorization: `Bearer ${caller.token}` } })
  ).json()) as { key: string };
  const [id, now] = [randomUUID(), Date.now()];
  const head = {
    key,
    visitor_id: visitorId,
    recording_id: id,
    seq: 0,
    sent_at: new Date(now).toISOString(),
    from: now - 6_000,
    to: now,
    events: 1,
  };
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), gzipSync('[{}]')]);
  const { ok, status } = await fetch(new URL('/collect/recordings', caller.url), {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body,
  });
  if (!ok) throw new Error(`a chunk of a recording answered ${status}`);
  return id;
}

/** @returns the `id` of the response */
async function call(
  { url, token }: Caller,
  method: string,
  path: string,
  body: unknown,
  type = 'application/json',
): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type };
  const response = await fetch(url + path, {
    method,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return String((JSON.parse(text) as { id?: unknown }).id);
}
