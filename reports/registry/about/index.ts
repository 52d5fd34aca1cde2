/** Explanations of report fields for readers of the figures: definition and attribution. */
import type { Dimension, Metric, LocalizedText } from '../entry/types.ts';
import { ABOUT_DIMENSIONS } from './dimensionDescriptions.ts';
import { ABOUT_METRICS } from './metricDescriptions.ts';
import { aggregatesOf } from '../entry/termsInMetrics.ts';

const BY_VISIT: LocalizedText = {
  en: 'Counted on the day on which the visit began, with the source, device and place of that visit.',
  ru: 'Относится ко дню, когда начался визит, — с источником, устройством и местом этого визита.',
};
const BY_FACT: LocalizedText = {
  en: 'Counted on the day of the conversion or the order itself, with the source of the visit to which it belongs.',
  ru: 'Относится ко дню самой цели или самого заказа — с источником визита, которому принадлежит.',
};
const BY_VISIT_WHENEVER: LocalizedText = {
  en: 'Counts visits that began in the period, whenever the conversion or purchase itself took place.',
  ru: 'По визитам, начавшимся в периоде, когда бы ни случилась сама цель или покупка.',
};
const BY_PERSON: LocalizedText = {
  en: 'Counts people with a visit that began in the period, by what is known about them now.',
  ru: 'По людям, чей визит начался в периоде, по тому, что о них известно сейчас.',
};
const SOURCE: LocalizedText = {
  en: 'The source follows the attribution of the report: the last significant source of the visit, its first or its own.',
  ru: 'Источник — по атрибуции отчёта: последний значимый источник визита, первый или его собственный.',
};
const TIME: LocalizedText = {
  en: 'The time at which the visit began. Conversions, orders and products are counted at their own time.',
  ru: 'Время начала визита. Достижения целей, заказы и товары относятся к своему собственному времени.',
};
const PERSON: LocalizedText = {
  en: 'What is known about the person now. Values from the user take precedence over values from the site, and those over values from the network.',
  ru: 'То, что о человеке известно сейчас. Сказанное пользователем важнее сказанного сайтом, а оно — данных сети.',
};

const ATTRIBUTION_OF_METRICS: Readonly<Record<Metric['level'], LocalizedText>> = {
  visit: BY_VISIT,
  hit: BY_VISIT,
  goal: BY_FACT,
  order: BY_FACT,
  product: BY_FACT,
  person: BY_PERSON,
};

export interface About {
  definition: LocalizedText;
  attribution: LocalizedText | null;
}

export function aboutMetric(metric: Metric): About {
  const attribution = isRateOfVisits(metric) ? BY_VISIT_WHENEVER : ATTRIBUTION_OF_METRICS[metric.level];
  return { definition: definitionIn(ABOUT_METRICS, metric.id), attribution };
}

/** Returns whether a metric of conversions, orders or products counts nothing but visits. */
function isRateOfVisits(metric: Metric): boolean {
  const isOfFacts = ATTRIBUTION_OF_METRICS[metric.level] === BY_FACT;
  return isOfFacts && aggregatesOf(metric, '').every(({ level }) => level === 'visit');
}

export function aboutDimension({ id, group }: Dimension): About {
  return { definition: definitionIn(ABOUT_DIMENSIONS, id), attribution: attributionOf(group) };
}

function attributionOf(group: Dimension['group']): LocalizedText | null {
  if (group === 'source') return SOURCE;
  if (group === 'time') return TIME;
  return group === 'audience' ? PERSON : null;
}

/** A test looks up each identifier of the registry. */
function definitionIn(table: Readonly<Record<string, LocalizedText>>, id: string): LocalizedText {
  const found = table[id];
  if (!found) throw new Error(`${id} has no definition`);
  return found;
}
