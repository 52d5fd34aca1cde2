/** People for a report: temporary tables of a connection, made of what PostgreSQL knows of them at the moment. */
import type { LakeConnection } from '../lake/connection.ts';
import { literal } from '../lake/database.ts';
import { FIELD_OF, isAttribute, personOfUser } from './attributes.ts';
import { networkValues } from './network.ts';
import { DECIDED, ownValues } from './own.ts';
import { fromPostgres, literals } from './postgres.ts';

export interface PeopleNeeds {
  /** Whether persons are told apart at all. */
  links: boolean;
  /** Attributes of the audience, without visitor_param. */
  attributes: readonly string[];
  /** Keys of visitor_param. */
  params: readonly string[];
}

/**
 * Makes the temporary tables that a compiled report reads, anew on each call:
 * - `linked_visitors(visitor_id UUID, user_id VARCHAR, person UUID)`: visitors of the site that are a user now;
 * - `told_values(person UUID, attribute VARCHAR, param VARCHAR, value VARCHAR, source VARCHAR)`: the values that hold
 *   of the needed attributes, as the view site_audience tells them, each value of a person once. A free text is no
 *   value of `interest`.
 *
 * `person` is the visitor's id, or what `personOfUser` makes of a user's. Tables that are not needed are empty.
 * Precedence is worked out here and not by the view: PostgreSQL would rank every row by a sort.
 * @param connection with our PostgreSQL attached as `pg`; in a transaction that has one snapshot of it
 */
export async function loadPeople(connection: LakeConnection, siteId: string, needs: PeopleNeeds): Promise<void> {
  await loadLinks(connection, siteId, needs.links);
  await loadValues(connection, siteId, needs);
}

async function loadLinks(connection: LakeConnection, siteId: string, isNeeded: boolean): Promise<void> {
  await connection.query('create or replace temp table linked_visitors (visitor_id UUID, user_id VARCHAR, person UUID)');
  if (!isNeeded) return;
  const links = `select visitor_id, user_id from site_visitors where site_id = ${literal(siteId)} and user_id is not null`;
  await connection.query(`insert into linked_visitors select visitor_id, user_id, ${personOfUser('user_id')} from ${fromPostgres(links)}`);
}

async function loadValues(connection: LakeConnection, siteId: string, { attributes, params }: PeopleNeeds): Promise<void> {
  await connection.query('create or replace temp table told_values (person UUID, attribute VARCHAR, param VARCHAR, value VARCHAR, source VARCHAR)');
  const known = attributes.filter(isAttribute);
  const fields = [...new Set(known.map((attribute) => FIELD_OF[attribute]))].filter((field) => field !== 'params');
  if (fields.length === 0 && params.length === 0) return;
  await connection.query(`create or replace temp table told_own as ${ownValues(siteId, fields, params)}`);
  await connection.query(`create or replace temp table told_network as ${fields.length > 0 ? networkValues(siteId, fields) : 'from told_own limit 0'}`);
  // What nobody asked for goes last, for by its field it is decided whom to believe.
  const asked = [...known, ...(params.length > 0 ? ['visitor_param'] : [])];
  await connection.query(`insert into told_values
    select distinct person, attribute, param, value, source from (${DECIDED}) as decided
     where attribute in (${literals(asked)}) and value is not null`);
  await connection.query('drop table told_own');
  await connection.query('drop table told_network');
}
