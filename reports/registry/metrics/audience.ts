/** People. All but the first are shares by the request's one dimension of the audience. */
import type { Aggregate, Metric, Terms } from '../types.ts';
import { distinct, metric, ratio } from './define.ts';

const IS_KNOWN = ({ told }: Terms): string => `${told.value} is not null`;
const people = (name: string, given: Partial<Extract<Aggregate, { kind: 'distinct' }>> = {}): Aggregate =>
  distinct('visit', name, ({ person }) => [person], given);

const all = people('people');
const known = people('people_known', { isOfTold: true, where: IS_KNOWN });
const ofNetwork = people('people_of_network', { isOfTold: true, where: ({ told }) => `${told.source} = 'network'` });
/** Of the row's other dimensions. */
const knownOfOthers = people('others_known', { isOfTold: true, where: IS_KNOWN, over: 'others' });
const unknownOfOthers = people('others_unknown', {
  isOfTold: true,
  where: ({ told }) => `${told.value} is null`,
  over: 'others',
});
const allOfOthers = people('others', { over: 'others' });
/** Of the whole site in the period: with the row's value, and with any. */
const everybody = people('everybody', { isOfTold: true, where: IS_KNOWN, over: 'everybody' });
const everybodyKnown = people('everybody_known', { isOfTold: true, where: IS_KNOWN, over: 'allKnown' });

type Given = Omit<Parameters<typeof metric>[0], 'group' | 'level'>;
const of = (given: Given): Metric => metric({ group: 'audience', level: 'person', ...given });

export const AUDIENCE: readonly Metric[] = [
  of({ id: 'people', type: 'count', label: { en: 'People', ru: 'Люди' }, sql: (use) => use(all) }),
  of({
    id: 'people_share',
    isByAttribute: true,
    type: 'share',
    label: { en: 'Share of people', ru: 'Доля людей' },
    sql: (use) => ratio(use(known), use(knownOfOthers)),
  }),
  of({
    id: 'undefined_share',
    isByAttribute: true,
    type: 'share',
    label: { en: 'Share of unknown', ru: 'Доля неизвестных' },
    sql(use) {
      // It is the same whatever the value: the rows are those of everybody.
      use(all);
      return ratio(use(unknownOfOthers), use(allOfOthers));
    },
  }),
  of({
    id: 'network_share',
    isByAttribute: true,
    type: 'share',
    label: { en: 'Share known from the network', ru: 'Доля данных сети' },
    sql: (use) => ratio(use(ofNetwork), use(all)),
  }),
  of({
    id: 'affinity_index',
    isByAttribute: true,
    type: 'index',
    label: { en: 'Affinity index', ru: 'Индекс соответствия' },
    // Of whole numbers, divided once: equal indices of unequal shares are one value.
    sql: (use) =>
      ratio(`(100 * ${use(known)} * ${use(everybodyKnown)})`, `(${use(knownOfOthers)} * ${use(everybody)})`),
  }),
];
