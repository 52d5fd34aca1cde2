/** People for a report: temporary tables of a connection, filled from the current state of PostgreSQL. */
import { TRUSTED_USER } from '../../db/sitePeople/visitorLinks.ts';
import type { LakeConnection } from '../lake/connection.ts';
import { quotedText } from '../sql/quotedText.ts';
import { DUCKDB } from '../sql/duckdb.ts';
import { FIELD_OF, isAttribute, type Attribute } from './attributes.ts';
import { loadNetwork } from './networkAttributes.ts';
import { fromPostgres } from './postgres.ts';
import { visitorsOfSampledUsers } from './personSample.ts';
import { effectiveValues, type RequestedField } from './valuePrecedence.ts';

export { isReadForSample, type Sample } from './personSample.ts';

/** The tables are DuckDB's. */
const { functions } = DUCKDB;

export interface PeopleNeeds {
  /** Whether persons are identified at all. */
  links: boolean;
  /** Attributes of the audience, except visitor_param. */
  attributes: readonly string[];
  /** Keys of visitor_param. */
  params: readonly string[];
}

/**
 * Creates the temporary tables that a compiled report reads, anew on each call:
 * - `linked_visitors(visitor_id UUID, person UUID)`: visitors of the site that are linked to a user now; for a sample
 *   also `is_in_sample BOOLEAN`, for the user;
 * - `visitors_of_sample(visitor_id UUID)`, for a sample that identifies persons: visitors that are or were linked to a
 *   sampled user;
 * - `effective_values(person UUID, attribute VARCHAR, param VARCHAR, value VARCHAR, source VARCHAR)`: the effective values
 *   of the needed attributes, as in the view site_audience, each value of a person once. A free text is not a value of
 *   `interest`.
 *
 * `person` is the visitor's id, or the result of `personOfUser` for a user's id. Tables that are not needed are empty.
 * Precedence is computed here and not by the view, because PostgreSQL would rank all rows by a sort.
 * @param connection with our PostgreSQL attached as `pg`, in a transaction that has one snapshot of it
 * @param sampled loads the visitors' own values for only a tenth of the visitors, but the values of all users: a fact
 * may name a user to whom the fact's visitor is not linked
 */
export async function loadPeople(
  connection: LakeConnection,
  siteId: string,
  needs: PeopleNeeds,
  sampled = false,
): Promise<void> {
  await loadLinks(connection, siteId, needs.links, sampled);
  await loadValues(connection, siteId, needs, sampled);
}

async function loadLinks(
  connection: LakeConnection,
  siteId: string,
  isNeeded: boolean,
  sampled: boolean,
): Promise<void> {
  await connection.query(
    `create or replace temp table linked_visitors (visitor_id UUID, person UUID${sampled ? ', is_in_sample BOOLEAN' : ''})`,
  );
  if (!isNeeded) return;
  const links = fromPostgres(
    `select v.visitor_id, v.user_id from site_visitors v join sites s on s.id = v.site_id where v.site_id = ${quotedText(siteId)} and ${TRUSTED_USER} is not null`,
  );
  await connection.query(
    `insert into linked_visitors select visitor_id, ${functions.personOfUser('user_id')} as person${sampled ? `, ${functions.isPersonInSample('person')}` : ''} from ${links}`,
  );
  if (sampled)
    await connection.query(
      `create or replace temp table visitors_of_sample as from ${fromPostgres(visitorsOfSampledUsers(siteId))}`,
    );
}

async function loadValues(
  connection: LakeConnection,
  siteId: string,
  needs: PeopleNeeds,
  sampled: boolean,
): Promise<void> {
  await connection.query(
    'create or replace temp table effective_values (person UUID, attribute VARCHAR, param VARCHAR, value VARCHAR, source VARCHAR)',
  );
  const asked = requestedFields(needs);
  // Params are not shared with other sites.
  const shared = asked.map(({ field }) => field).filter((field) => field !== 'params');
  const isShared = await loadNetwork(connection, siteId, shared);
  for (const one of asked)
    await connection.query(
      `insert into effective_values ${effectiveValues(siteId, { ...one, sampled }, isShared && one.field !== 'params')}`,
    );
  await connection.query('drop table if exists network_values');
}

/** Returns each field once with its needed attributes. */
function requestedFields({ attributes, params }: PeopleNeeds): Omit<RequestedField, 'sampled'>[] {
  const needed = new Set<Attribute>(attributes.filter(isAttribute));
  if (params.length > 0) needed.add('visitor_param');
  return [...Map.groupBy(needed, (attribute) => FIELD_OF[attribute])].map(([field, ofField]) => ({
    field,
    attributes: ofField,
    params: field === 'params' ? params : [],
  }));
}
