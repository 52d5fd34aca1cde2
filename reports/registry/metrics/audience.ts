/** People. All metrics except the first are shares by the single audience dimension of the request. */
import { sql } from '../../sql/index.ts';
import { PERSON, ATTRIBUTE_SOURCE, ATTRIBUTE_VALUE } from '../entry/terms.ts';
import type { Aggregate, DistinctAggregate } from '../entry/aggregates.ts';
import type { Metric } from '../entry/types.ts';
import { distinct, metric, ratio, type Figure } from './defineMetric.ts';

const IS_KNOWN = sql`${ATTRIBUTE_VALUE} is not null`;
const people = (name: string, given: Partial<DistinctAggregate & Pick<Aggregate, 'population'>> = {}): Figure =>
  distinct('visit', name, PERSON, given);

const all = people('people');
const known = people('people_known', { where: IS_KNOWN });
const ofNetwork = people('people_of_network', { where: sql`${ATTRIBUTE_SOURCE} = 'network'` });
/** These are computed over the row's other dimensions. */
const knownOfOthers = people('others_known', { where: IS_KNOWN, population: 'others' });
const unknownOfOthers = people('others_unknown', { where: sql`${ATTRIBUTE_VALUE} is null`, population: 'others' });
const allOfOthers = people('others', { population: 'others' });
/** These are computed over everybody in the period: those with the row's value, and those with any value. */
const everybody = people('everybody', { where: IS_KNOWN, population: 'everybody' });
const everybodyKnown = people('everybody_known', { where: IS_KNOWN, population: 'allKnown' });

type MetricOptions = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const audienceMetric = (given: MetricOptions): Metric => metric({ group: 'audience', level: 'person', ...given });

export const AUDIENCE: readonly Metric[] = [
  audienceMetric({ id: 'people', type: 'count', label: { en: 'People', ru: 'Люди' }, value: all }),
  audienceMetric({
    id: 'people_share',
    isByAttribute: true,
    type: 'share',
    label: { en: 'Share of people', ru: 'Доля людей' },
    value: ratio(known, knownOfOthers),
  }),
  audienceMetric({
    id: 'undefined_share',
    isByAttribute: true,
    type: 'share',
    label: { en: 'Unknown share', ru: 'Доля неизвестных' },
    value: ratio(unknownOfOthers, allOfOthers),
    // It is the same for every value, so it has the rows of everybody.
    rowsOf: all,
  }),
  audienceMetric({
    id: 'network_share',
    isByAttribute: true,
    type: 'share',
    label: { en: 'Share from the network', ru: 'Доля данных сети' },
    value: ratio(ofNetwork, all),
  }),
  audienceMetric({
    id: 'affinity_index',
    isByAttribute: true,
    type: 'index',
    label: { en: 'Affinity index', ru: 'Индекс соответствия' },
    // Whole numbers are divided once, so that equal indices of unequal shares are one value.
    value: ratio(sql`(100 * ${known} * ${everybodyKnown})`, sql`(${knownOfOthers} * ${everybody})`),
  }),
];
