/**
 * Checks events: facts exist once by id, the right state counts, impressions are exact, and the sums of deleted people
 * are right.
 */
import { stateKey, type ExpectedFact } from '../load/expected.ts';
import type { CheckContext } from './context.ts';

interface FactRow {
  id: string;
  type: string;
  item: string;
  owner: string | null;
  value: number | null;
}

/** Owner of an identity's rows, as kind:identifier. */
const OWNER = `i.kind || ':' || i.external_id`;

export async function checkFacts({ pool, expected, findings, projects }: CheckContext): Promise<void> {
  const { rows } = await pool.query<FactRow>(
    `select e.id, e.type, e.item_id as item, ${OWNER} as owner, e.value
       from events e left join identities i on i.project_id = e.project_id and i.id = e.identity_id
      where e.project_id = $1 and e.id not like 'o:%'`,
    [projects.main.id],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  findings.countCompared('facts', expected.facts.size);
  findings.add('doubled', 'ids of facts that are there more than once', rows.length - stored.size);
  for (const [id, fact] of expected.facts) {
    const row = stored.get(id);
    if (!row) findings.add('lost', `event ${id} is not there`);
    else if (!isSame(fact, row))
      findings.add('lost', `event ${id} is ${JSON.stringify(row)}, not ${JSON.stringify(fact)} as accepted`);
    stored.delete(id);
  }
  for (const { id } of stored.values()) {
    findings.add(
      'doubled',
      expected.rejected.has(id) ? `event ${id} was rejected but is there` : `event ${id} is there and should not be`,
    );
  }
}

function isSame(fact: ExpectedFact, row: FactRow): boolean {
  return fact.type === row.type && fact.item === row.item && fact.owner === row.owner && fact.value === row.value;
}

export async function checkStates({ pool, expected, findings, projects }: CheckContext): Promise<void> {
  const { rows } = await pool.query<{ owner: string; item: string; type: string; value: number; at: Date }>(
    `select ${OWNER} as owner, s.item_id as item, s.type, s.value, s.occurred_at as at
       from event_states s join identities i on i.project_id = s.project_id and i.id = s.identity_id where s.project_id = $1`,
    [projects.main.id],
  );
  const stored = new Map(rows.map((row) => [stateKey(row), row]));
  findings.countCompared('states', expected.states.size);
  for (const [key, state] of expected.states) {
    const row = stored.get(key);
    stored.delete(key);
    if (!row) findings.add('lost', `state ${key} is not there`);
    // Among equal maximum values, it is not defined whose time is kept.
    else if (row.value !== state.value || (state.mode === 'state' && row.at.getTime() !== state.at)) {
      findings.add(
        'lost',
        `state ${key} is ${row.value} of ${row.at.toISOString()}, not ${state.value} of ${new Date(state.at).toISOString()}`,
      );
    }
  }
  for (const key of stored.keys()) findings.add('doubled', `state ${key} is there and should not be`);
}

export async function checkImpressions({ pool, expected, findings, projects }: CheckContext): Promise<void> {
  const { rows } = await pool.query<{ key: string; count: number }>(
    `select to_char(day, 'YYYY-MM-DD') || ' ' || item_id || ' ' || surface as key, sum(count)::int as count
       from impression_counts where project_id = $1 group by 1`,
    [projects.main.id],
  );
  const stored = new Map(rows.map(({ key, count }) => [key, count]));
  for (const key of new Set([...expected.impressions.keys(), ...stored.keys()])) {
    const [wanted, found] = [expected.impressions.get(key) ?? 0, stored.get(key) ?? 0];
    findings.countCompared('impressions', wanted);
    findings.add('lost', `${wanted - found} impressions of ${key}`, wanted - found);
    findings.add('doubled', `${found - wanted} impressions of ${key} too many`, found - wanted);
  }
}

/** Checks the totals that deleted people leave behind, each counted exactly once. */
export async function checkTotals({ pool, expected, findings, projects }: CheckContext): Promise<void> {
  const { rows } = await pool.query<{ key: string; events: number; valueSum: number }>(
    `select item_id || ' ' || type as key, events::int, value_sum as "valueSum" from item_event_totals where project_id = $1`,
    [projects.main.id],
  );
  const stored = new Map(rows.map(({ key, ...sums }) => [key, sums]));
  for (const key of new Set([...expected.totals.keys(), ...stored.keys()])) {
    const wanted = expected.totals.get(key) ?? { events: 0, valueSum: 0 };
    const found = stored.get(key) ?? { events: 0, valueSum: 0 };
    findings.countCompared('totals of the deleted', wanted.events);
    findings.add('lost', `${wanted.events - found.events} of the total ${key}`, wanted.events - found.events);
    findings.add(
      'doubled',
      `${found.events - wanted.events} of the total ${key} too many`,
      found.events - wanted.events,
    );
    if (wanted.events === found.events && wanted.valueSum !== found.valueSum)
      findings.add('lost', `the sum of ${key} is ${found.valueSum}, not ${wanted.valueSum}`);
  }
}
