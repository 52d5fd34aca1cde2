/** The values of people: a value from one source for one field replaces that source's earlier value. */
import type pg from 'pg';
import type { Field, Value } from '../../domain/people/personValues.ts';
import { ageOn } from '../../domain/people/ages.ts';
import { sameJson } from '../../domain/sameJson.ts';
import { personKey, type Person, type ToldBy } from '../../domain/people/personData.ts';
import { personColumns } from './lock.ts';
import type { Told } from './resolveChanges.ts';

interface ToldField {
  person: Person;
  source: ToldBy;
  field: Field;
  at: Date;
  values: readonly Value[];
}

/** Within this time a repeat of the same value writes nothing: pages send the same data about their user repeatedly. */
const SAME_FOR_MS = 3_600_000;

/**
 * Writes values that differ from the stored ones. A value older than the stored one arrived late and is dropped. The
 * caller holds the locks.
 */
export async function writeValues(client: pg.PoolClient, siteId: string, told: readonly Told[]): Promise<void> {
  const given = latestFields(told);
  if (given.size === 0) return;
  const stored = await readFields(
    client,
    siteId,
    told.map(({ person }) => person),
  );
  const changed = [...given].filter(([key, field]) => shouldReplace(field, stored.get(key))).map(([, field]) => field);
  if (changed.length === 0) return;
  await deleteFields(client, siteId, changed);
  await insertValues(client, siteId, changed);
}

/** Returns the last value by person, source and field; when two have the same time, the later one of the series. */
function latestFields(told: readonly Told[]): Map<string, ToldField> {
  const latest = new Map<string, ToldField>();
  for (const { person, source, at, fields } of told) {
    for (const [field, values] of fields) {
      const key = fieldKey(person, source, field);
      const known = latest.get(key);
      if (!known || known.at <= at) latest.set(key, { person, source, field, at, values });
    }
  }
  return latest;
}

function fieldKey(person: Person, source: string, field: string): string {
  return `${source}/${field}/${personKey(person)}`;
}

interface StoredField {
  at: Date;
  values: Value[];
}

interface ValueRow extends Value, Person {
  source: ToldBy;
  field: Field;
  at: Date;
}

async function readFields(
  client: pg.PoolClient,
  siteId: string,
  people: readonly Person[],
): Promise<Map<string, StoredField>> {
  const { rows } = await client.query<ValueRow>({
    name: 'site-values-read',
    text: `select v.kind, v.person_id as id, source, field, attribute, place, param, value, json, born::text, is_sensitive as "isSensitive", at
             from (select distinct * from unnest($2::text[], $3::text[])) as w (kind, id)
            cross join lateral (
              select * from site_person_values v where v.site_id = $1 and v.kind = w.kind and v.person_id = w.id offset 0) as v
            order by attribute, place`,
    values: [siteId, ...personColumns(people)],
  });
  const stored = new Map<string, StoredField>();
  for (const { kind, id, source, field, at, ...value } of rows) {
    const key = fieldKey({ kind, id }, source, field);
    const known = stored.get(key);
    if (known) known.values.push(value);
    else stored.set(key, { at, values: [value] });
  }
  return stored;
}

function shouldReplace(given: ToldField, stored: StoredField | undefined): boolean {
  if (!stored) return given.values.length > 0;
  if (given.at < stored.at) return false;
  return given.at.getTime() - stored.at.getTime() > SAME_FOR_MS || !isSame(given, stored.values);
}

function isSame({ values, at }: ToldField, stored: readonly Value[]): boolean {
  const byPlace = new Map(stored.map((value) => [`${value.attribute}/${value.place}`, value]));
  return (
    values.length === stored.length &&
    values.every((value) => {
      const known = byPlace.get(`${value.attribute}/${value.place}`);
      return (
        known !== undefined &&
        value.param === known.param &&
        value.value === known.value &&
        sameJson(value.json, known.json) &&
        isSameAge(value.born, known.born, at)
      );
    })
  );
}

function isSameAge(born: string | null, known: string | null, at: Date): boolean {
  return born === known || (born !== null && known !== null && ageOn(born, at) === ageOn(known, at));
}

/** Deletes rows by their position in the table, which cannot change while the locks are held. */
async function deleteFields(client: pg.PoolClient, siteId: string, fields: readonly ToldField[]): Promise<void> {
  await client.query({
    name: 'site-values-delete',
    text: `delete from site_person_values v
            where v.ctid = any(array(
              select found.ctid from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as f (kind, id, source, field)
               cross join lateral (
                 select o.ctid from site_person_values o
                  where o.site_id = $1 and o.kind = f.kind and o.person_id = f.id and o.source = f.source and o.field = f.field offset 0) as found))`,
    values: [
      siteId,
      ...personColumns(fields.map(({ person }) => person)),
      fields.map(({ source }) => source),
      fields.map(({ field }) => field),
    ],
  });
}

async function insertValues(client: pg.PoolClient, siteId: string, fields: readonly ToldField[]): Promise<void> {
  const rows = fields.flatMap(({ person, source, field, at, values }) =>
    values.map(({ isSensitive, ...value }) => ({
      ...value,
      kind: person.kind,
      person_id: person.id,
      source,
      field,
      at,
      is_sensitive: isSensitive,
    })),
  );
  const columns = 'kind, person_id, source, attribute, place, field, param, value, json, born, is_sensitive, at';
  await client.query({
    name: 'site-values-insert',
    text: `insert into site_person_values (site_id, ${columns})
           select $1, ${columns} from jsonb_populate_recordset(null::site_person_values, $2::jsonb)`,
    values: [siteId, JSON.stringify(rows)],
  });
}
