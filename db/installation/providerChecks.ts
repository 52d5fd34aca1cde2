/** The results of the last checks of the analysis providers. */
import type { AskedCapability, CheckState } from '../../domain/analysis/capabilities.ts';
import type { Queryable } from '../pool.ts';

export interface ProviderCheck {
  capability: AskedCapability;
  /** Null where the capability is turned off. */
  model: string | null;
  /** `builtin`: nothing outside the worker is called. */
  state: CheckState;
  /** The code of the fault if the state is `fails`; otherwise the code of missing files, null if none are missing. */
  code: string | null;
  millis: number | null;
}

export interface StoredCheck extends ProviderCheck {
  checkedAt: Date;
}

export async function storeProviderChecks(pool: Queryable, checks: readonly ProviderCheck[]): Promise<void> {
  await pool.query(
    `insert into provider_checks (capability, model, state, code, millis)
     select capability, model, state, code, millis
       from jsonb_to_recordset($1) as c (capability text, model text, state text, code text, millis int)
     on conflict (capability) do update set model = excluded.model, state = excluded.state, code = excluded.code,
            millis = excluded.millis, checked_at = now()`,
    [JSON.stringify(checks)],
  );
}

/** Returns one result for each capability, once a worker has checked them. */
export async function listProviderChecks(pool: Queryable): Promise<StoredCheck[]> {
  const { rows } = await pool.query<StoredCheck>(
    'select capability, model, state, code, millis, checked_at as "checkedAt" from provider_checks order by capability',
  );
  return rows;
}

/** Requests that the workers check the providers now; a second request has no further effect. */
export async function requestProviderCheck(pool: Queryable): Promise<void> {
  await pool.query('insert into provider_check_requests default values on conflict do nothing');
}

/** Takes the request, so that only one worker checks them. False when there is none. */
export async function takeProviderCheckRequest(pool: Queryable): Promise<boolean> {
  const { rowCount } = await pool.query('delete from provider_check_requests');
  return rowCount === 1;
}
