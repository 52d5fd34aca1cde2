/** What is told of the person of a row: dimensions of the audience and filters on them. */
import { attributeOf, type Terms } from '../registry/index.ts';
import type { Build } from './build.ts';
import { matches } from './match.ts';
import { isAsked, type AskedAttribute } from './people.ts';
import type { Filter } from '../request.ts';
import type { Used, UsedFilter } from './plan.ts';
import { termsOf } from './terms.ts';

type Entry = Pick<Used, 'dimension' | 'param'>;

/** Which attribute an entry is of, as a key. */
export function toldKey({ dimension, param }: Entry): string {
  const { attribute, param: key } = attributeOf(dimension, param);
  return key === null ? attribute : `${attribute}:${key}`;
}

export interface ToldJoin {
  join: string;
  where: string[];
  told: Terms['told'];
}

/**
 * The person's values that the filters let through, each pair that the dimensions show once; a row without any where
 * nothing is told and the filters let that through.
 * @param entries dimensions and filters of one attribute
 */
export function toldJoin(
  build: Build,
  person: string,
  alias: string,
  dimensions: readonly Used[],
  filters: readonly UsedFilter[],
): ToldJoin {
  const [first] = dimensions;
  if (first === undefined) throw new Error('nothing is told of nobody');
  const asked = attributeOf(first.dimension, first.param);
  const showsValue = dimensions.some(({ dimension }) => dimension.id !== 'value_source');
  const values = `select distinct person, ${showsValue ? 'value' : 'true as value'}, source from told_values where ${wanted(build, asked, filters)}`;
  const isLeft = takesNull(filters.map(({ filter }) => filter));
  return {
    join: `${isLeft ? 'left join' : 'join'} (${values}) as ${alias} on ${alias}.person = ${person}`,
    where: isLeft && filters.length > 0 ? [`(${alias}.person is not null or ${isUnknown(build, person, asked)})`] : [],
    told: { value: `${alias}.value`, source: `${alias}.source` },
  };
}

/** Whether the person has a value that the filters let through, or none and they let that through. */
export function toldFilter(build: Build, person: string, filters: readonly UsedFilter[]): string {
  const [first] = filters;
  if (first === undefined) return 'true';
  const asked = attributeOf(first.dimension, first.param);
  const isTold = `${person} in (select person from told_values where ${wanted(build, asked, filters)})`;
  return takesNull(filters.map(({ filter }) => filter)) ? `(${isTold} or ${isUnknown(build, person, asked)})` : isTold;
}

const isUnknown = ({ bind }: Build, person: string, asked: AskedAttribute): string =>
  `${person} not in (select person from told_values where ${isAsked(asked, bind)})`;

function wanted(build: Build, asked: AskedAttribute, filters: readonly UsedFilter[]): string {
  const conditions = filters.map(({ dimension, param, filter }) =>
    matches(
      dimension,
      dimension.key(termsOf(build, param, { told: { value: 'value', source: 'source' } })),
      filter,
      build.bind,
    ),
  );
  return [isAsked(asked, build.bind), ...conditions].join(' and ');
}

/** Whether a row without a value is let through: unknown equals nothing. */
const takesNull = (filters: readonly Filter[]): boolean => filters.every(({ op }) => op === 'neq');
