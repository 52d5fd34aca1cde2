/** Values of people at two sites that share them, and the effective ones. */
import { personKey, type Person, type ToldBy } from '../../../../domain/people/personData.ts';
import type { Dice } from './dice.ts';
import * as pools from './pools.ts';
import type { EffectiveValue } from './world.ts';

/** A row of site_person_values, or of site_person_interests where the field is `interests`. */
export interface ToldValue {
  siteId: string;
  person: Person;
  source: ToldBy;
  field: string;
  attribute: string;
  place: number;
  param: string | null;
  value: string | null;
  json: unknown;
  born: string | null;
  /** The value in a report, by today's calendar. */
  text: string;
}

export interface ToldPerson {
  siteId: string;
  person: Person;
  /** The same at both sites: the network matches people by it. */
  email: string | null;
  told: ToldValue[];
}

/** Returns everything that one source says of one person. */
export function randomTold(dice: Dice, siteId: string, person: Person, source: ToldBy, today: Date): ToldValue[] {
  const told: ToldValue[] = [];
  const add = (field: string, attribute: string, text: string, given: Partial<ToldValue> = {}): void => {
    const place = told.filter((value) => value.attribute === attribute).length;
    told.push({
      siteId,
      person,
      source,
      field,
      attribute,
      place,
      param: null,
      value: text,
      json: null,
      born: null,
      text,
      ...given,
    });
  };
  for (const [attribute, values] of Object.entries(pools.AUDIENCE))
    if (dice.chance(40)) add(attribute, attribute, dice.pick(values));
  if (dice.chance(40)) addPlace(dice, add);
  if (dice.chance(40)) addChildren(dice, add, today);
  for (const interest of pools.INTERESTS) if (dice.chance(30)) add('interests', 'interest', interest);
  for (const category of pools.CATEGORIES)
    if (dice.chance(30)) add('purchase_categories', 'purchase_category', category);
  for (const param of pools.VISITOR_PARAMS) {
    const json = dice.pick(['annual', 'Годовой', 7, 1.5, true]);
    if (dice.chance(30)) add('params', 'visitor_param', String(json), { param, value: null, json });
  }
  return told;
}

type Add = (field: string, attribute: string, text: string, given?: Partial<ToldValue>) => void;

function addPlace(dice: Dice, add: Add): void {
  const [country, region, city] = dice.pick(pools.PLACES);
  add('geo', 'geo_person_country', country);
  if (region !== null) add('geo', 'geo_person_region', region);
  if (city !== null) add('geo', 'geo_person_city', city);
}

/** Birthdays far from today, so that none occurs during the run. */
function addChildren(dice: Dice, add: Add, today: Date): void {
  const ages = dice.times(0, 3, () => dice.int(0, 17));
  add('children', 'has_children', ages.length > 0 ? 'yes' : 'no');
  for (const age of ages) {
    const born = new Date(Date.UTC(today.getUTCFullYear() - age, today.getUTCMonth(), today.getUTCDate() - 100))
      .toISOString()
      .slice(0, 10);
    add('children', 'children_age', String(age), { value: null, born });
  }
}

/**
 * Returns effective values. Among the values for one choice, the user's own take precedence, then the site's, then
 * the network's.
 */
export function effectiveValues(siteId: string, people: readonly ToldPerson[]): EffectiveValue[] {
  return people
    .filter((one) => one.siteId === siteId)
    .flatMap((one) => {
      const own = one.told.map((value) => ({
        value,
        rank: value.source === 'user' ? 1 : 2,
        source: value.source as EffectiveValue['source'],
      }));
      const others = people.filter(
        (other) => other.siteId !== siteId && one.email !== null && other.email === one.email,
      );
      const shared = others
        .flatMap(({ told }) => told)
        .filter(({ field }) => field !== 'params')
        .map((value) => ({ value, rank: value.source === 'user' ? 3 : 4, source: 'network' as const }));
      const all = [...own, ...shared];
      const holds = all.filter(
        ({ value, rank }) => !all.some((better) => choiceOf(better.value) === choiceOf(value) && better.rank < rank),
      );
      const rows = holds.map(({ value, source }) => ({
        siteId,
        person: personKey(one.person),
        attribute: value.attribute,
        param: value.param,
        value: value.text,
        source,
      }));
      return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
    });
}

/** Params, categories and interests are chosen individually, other fields as a whole. */
function choiceOf({ field, param, text }: ToldValue): string {
  if (field === 'params') return `params ${param}`;
  return field === 'interests' || field === 'purchase_categories' ? `${field} ${text}` : field;
}
