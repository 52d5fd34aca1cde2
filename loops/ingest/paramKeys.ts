/** Records the keys of incoming params; each process writes a key to the database once a day. */
import type pg from 'pg';
import { recordParamKeys, type ParamKey, type ParamKind } from '../../db/sites/paramKeys.ts';
import type { Outcome } from '../../domain/visits/addRequestToVisits.ts';

/** Strangers choose the keys, so their number is bounded. */
const MAX_CACHED = 20_000;
/** Maximum in one batch; the other keys will arrive again. */
const MAX_AT_ONCE = 500;

/** Returns the keys of page views, events and people in the outcome of a batch. */
export function paramKeysOf({ hits, users }: Pick<Outcome, 'hits' | 'users'>): ParamKey[] {
  const found = new Map<string, ParamKey>();
  const add = (siteId: string, kind: ParamKind, params: object): void => {
    for (const key of Object.keys(params)) {
      if (found.size >= MAX_AT_ONCE) return;
      found.set(`${siteId} ${kind} ${key}`, { siteId, kind, key });
    }
  };
  for (const { site_id: siteId, type, params } of hits) {
    if (params === null || (type !== 'pageview' && type !== 'event')) continue;
    add(siteId, type === 'event' ? 'event' : 'visit', JSON.parse(params) as object);
  }
  for (const { siteId, user } of users) add(siteId, 'visitor', user.params ?? {});
  return [...found.values()];
}

export class ParamKeyRecorder {
  readonly #recorded = new Set<string>();
  #day = '';

  /** @param client a session outside a transaction */
  async record(client: pg.ClientBase, keys: readonly ParamKey[]): Promise<void> {
    this.#clearOnNewDay();
    const fresh = keys.filter((key) => !this.#recorded.has(nameOf(key)));
    if (fresh.length === 0) return;
    await recordParamKeys(client, fresh);
    for (const key of fresh) this.#recorded.add(nameOf(key));
  }

  #clearOnNewDay(): void {
    const today = new Date().toISOString().slice(0, 10);
    if (today === this.#day && this.#recorded.size < MAX_CACHED) return;
    this.#recorded.clear();
    this.#day = today;
  }
}

const nameOf = ({ siteId, kind, key }: ParamKey): string => `${siteId} ${kind} ${key}`;
