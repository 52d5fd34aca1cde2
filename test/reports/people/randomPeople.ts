/** Random values and contacts of people at three sites. */
import fc from 'fast-check';
import type pg from 'pg';

export interface Told {
  site: number;
  person: number;
  isUser: boolean;
  source: 'site' | 'user';
  what: number;
  minute: number;
  isSensitive: boolean;
}

/** Values as the writer stores them: attribute, field, value or date of birth. */
const VALUES: readonly (readonly {
  attribute: string;
  field: string;
  place?: number;
  param?: string;
  value?: string;
  json?: string;
  born?: string;
}[])[] = [
  [{ attribute: 'gender', field: 'gender', value: 'male' }],
  [{ attribute: 'gender', field: 'gender', value: 'female' }],
  [{ attribute: 'age_group', field: 'age_group', born: 'eighteenToday' }],
  [{ attribute: 'age_group', field: 'age_group', born: 'eighteenTomorrow' }],
  [{ attribute: 'age_group', field: 'age_group', born: '1960-02-29' }],
  [{ attribute: 'age_group', field: 'age_group', value: '65+' }],
  [
    { attribute: 'has_children', field: 'children', born: 'eighteenTomorrow' },
    { attribute: 'children_age', field: 'children', born: 'eighteenTomorrow' },
    { attribute: 'children_age', field: 'children', place: 1, born: 'eighteenTomorrow' },
  ],
  [
    { attribute: 'has_children', field: 'children', born: 'eighteenToday' },
    { attribute: 'children_age', field: 'children', born: 'eighteenToday' },
  ],
  [{ attribute: 'has_children', field: 'children', value: 'yes' }],
  [
    { attribute: 'geo_person_country', field: 'geo', value: 'RU' },
    { attribute: 'geo_person_city', field: 'geo', value: 'ru-kazan' },
  ],
  [{ attribute: 'geo_person_country', field: 'geo', value: 'DE' }],
  [
    { attribute: 'purchase_category', field: 'purchase_categories', value: 'electronics' },
    { attribute: 'purchase_category', field: 'purchase_categories', place: 1, value: 'tablets' },
  ],
  [{ attribute: 'purchase_category', field: 'purchase_categories', value: 'tablets' }],
  [{ attribute: 'industry', field: 'industry', value: 'it' }],
  [
    { attribute: 'visitor_param', field: 'params', param: 'plan', json: '"annual"' },
    { attribute: 'visitor_param', field: 'params', place: 1, param: "it's", json: '{"a":[1]}' },
  ],
  [
    { attribute: 'visitor_param', field: 'params', param: 'plan', json: '12.50' },
    { attribute: 'visitor_param', field: 'params', place: 1, param: 'other', json: 'true' },
  ],
];
const INTERESTS = [
  { interest: 'music', isTopic: true },
  { interest: 'sport-football', isTopic: true },
  { interest: 'вязание крючком', isTopic: false },
];

export const told: fc.Arbitrary<Told> = fc.record({
  site: fc.nat(2),
  person: fc.nat(5),
  isUser: fc.boolean(),
  source: fc.constantFrom('site', 'user'),
  what: fc.nat(VALUES.length + INTERESTS.length - 1),
  minute: fc.nat(3),
  isSensitive: fc.boolean(),
});
/** One of them is occasionally a placeholder. */
const contact = fc.constantFrom(0, 0, 0, 0, 1, 2, 3);
/** Contacts by site and person; some of them coincide. */
export const contacts = fc.array(
  fc.record({
    site: fc.nat(2),
    person: fc.nat(5),
    isUser: fc.boolean(),
    email: fc.option(contact),
    phone: fc.option(contact),
    isByServer: fc.boolean(),
  }),
  { minLength: 12, maxLength: 60 },
);
export const settings = fc.array(
  fc.record({
    network: fc.constantFrom(true, true, true, false),
    sensitive: fc.boolean(),
    asksForProof: fc.constantFrom(false, false, true),
  }),
  { minLength: 3, maxLength: 3 },
);

/**
 * Ids of visitors are unique to the site; ids of users are equal at all sites and still denote different persons.
 */
const idOf = ({ site, person, isUser }: { site: number; person: number; isUser: boolean }): string =>
  isUser ? `u${person}` : `00000000-0000-4000-8000-0000000000${site}${person}`;

function bornOf(born: string | undefined, today: Date): string | null {
  if (born === undefined || /^\d/.test(born)) return born ?? null;
  const day = new Date(
    Date.UTC(today.getUTCFullYear() - 18, today.getUTCMonth(), today.getUTCDate() + (born === 'eighteenToday' ? 0 : 1)),
  );
  return day.toISOString().slice(0, 10);
}

/** Stores values, interests and contacts as the writer does, at sites in the order of their numbers. */
export async function storePeople(
  pool: pg.Pool,
  sites: readonly string[],
  tellings: readonly Told[],
  people: readonly {
    site: number;
    person: number;
    isUser: boolean;
    email: number | null;
    phone: number | null;
    isByServer: boolean;
  }[],
): Promise<void> {
  const today = new Date();
  const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const who = (one: { site: number; person: number; isUser: boolean }) => ({
    site_id: sites[one.site],
    kind: one.isUser ? 'user' : 'visitor',
    person_id: idOf(one),
  });
  // A source's new values for a field replace all its old ones.
  const fieldOf = (one: Told): string => JSON.stringify([who(one), one.source, VALUES[one.what]?.[0]?.field]);
  const standing = [
    ...new Map(tellings.filter(({ what }) => what < VALUES.length).map((one) => [fieldOf(one), one])).values(),
  ];
  const values = standing.flatMap((one) =>
    (VALUES[one.what] ?? []).map((value) => ({
      ...who(one),
      place: 0,
      source: one.source,
      ...value,
      json: value.json === undefined ? null : (JSON.parse(value.json) as unknown),
      born: bornOf(value.born, today),
      is_sensitive: one.isSensitive,
      at: at(one.minute),
    })),
  );
  const interests = tellings.flatMap((one) => {
    const interest = INTERESTS[one.what - VALUES.length];
    return interest === undefined
      ? []
      : [
          {
            ...who(one),
            source: one.source,
            is_topic: interest.isTopic,
            interest: interest.interest,
            strength: 1,
            is_sensitive: one.isSensitive,
            at: at(one.minute),
          },
        ];
  });
  await pool.query(
    'insert into site_person_values select * from jsonb_populate_recordset(null::site_person_values, $1::jsonb)',
    [JSON.stringify(values)],
  );
  await pool.query(
    'insert into site_person_interests select * from jsonb_populate_recordset(null::site_person_interests, $1::jsonb) on conflict do nothing',
    [JSON.stringify(interests)],
  );
  await pool.query(
    `insert into site_people (site_id, kind, person_id, email_hash, phone_hash, server_email_hash, server_phone_hash)
     select site_id, kind, person_id, sha256(email::bytea), sha256(phone::bytea),
            case when told then sha256(email::bytea) end, case when told then sha256(phone::bytea) else sha256('another') end
       from json_to_recordset($1) as r (site_id text, kind text, person_id text, email text, phone text, told boolean)
     on conflict do nothing`,
    [
      JSON.stringify(
        people.map((one) => ({
          ...who(one),
          email: one.email === null ? null : `e${one.email}`,
          phone: one.phone === null ? null : `p${one.phone}`,
          told: one.isByServer,
        })),
      ),
    ],
  );
}
