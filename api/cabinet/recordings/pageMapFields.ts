/** Request and response schemas of page maps. */
import type pg from 'pg';
import Type from 'typebox';
import type { SiteSettings } from '../../../domain/sites/siteSettings.ts';
import type { ClickMap, PageQuestion, ScrollMap } from '../../../reports/mapAndVisitQuestions.ts';
import { periodFaults, todayIn } from '../../../reports/validate/index.ts';
import { oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import type { FieldFault } from '../../http/errors.ts';
import { findSavedSegment, type SavedSegment } from '../../reports/savedSegment.ts';
import { UUID } from '../cabinetOperation.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';
import { MAX_CLICKED_ELEMENTS, SCROLL_DEPTHS } from '../../../reports/pageMapLimits.ts';

const DEFAULT_DAYS = 30;
/** The types of devices of visits (loops/ingest/enrich/userAgent.ts). */
const DEVICE_TYPES = ['desktop', 'mobile', 'tablet', 'tv', 'console', 'other'] as const;

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description, examples: ['2026-10-22'] }));

const page = text(2048, {
  minLength: 1,
  description: 'Адрес страницы целиком',
  examples: ['https://shop.example.com/'],
});
const fields = {
  page,
  date_from: day('Первый день'),
  date_to: day('Последний день'),
  device: Type.Optional(oneOf(DEVICE_TYPES, { description: 'Только визиты с таких устройств' })),
  segment: Type.Optional(UUID),
};
export const mapQuery = Type.Object(fields);
/** The query of a request by a link, which names the rest. */
export const pageQuery = Type.Object({ page });
export const MapLinkBody = strictObject(fields, { title: 'MapLinkBody' });
export type MapFields = Static<typeof mapQuery>;

const questionFields = {
  page: Type.String(),
  date_from: Type.String(),
  date_to: Type.String(),
  timezone: Type.String(),
  views: Type.Number({ description: 'Просмотров страницы' }),
  sampled: Type.Boolean({ description: 'Посчитано по 10 процентам посетителей' }),
};

export const ClickMapOutput = Type.Object(
  {
    ...questionFields,
    clicks: Type.Number({ description: 'Всех нажатий на странице' }),
    elements: Type.Array(
      Type.Object({
        selector: Type.String({ description: 'CSS-селектор, как его записал счётчик' }),
        clicks: Type.Number(),
        cells: Type.Array(Type.Object({ x: Type.Integer(), y: Type.Integer(), clicks: Type.Number() }), {
          description: 'Клетки элемента от 0 до 9 слева направо и сверху вниз, в которые нажимали',
        }),
      }),
      { description: `Самые нажимаемые — первыми, до ${MAX_CLICKED_ELEMENTS}` },
    ),
  },
  { title: 'ClickMap' },
);

export const ScrollMapOutput = Type.Object(
  {
    ...questionFields,
    average_depth: Type.Number({ description: 'Средняя глубина, в процентах' }),
    reached: Type.Array(Type.Object({ depth: Type.Integer(), views: Type.Number() }), {
      description: 'Просмотров, дошедших до этого процента страницы и дальше',
    }),
  },
  { title: 'ScrollMap' },
);

const example = {
  page: 'https://shop.example.com/catalogue',
  date_from: '2026-10-22',
  date_to: '2026-11-20',
  timezone: 'Europe/Moscow',
  views: 1840,
  sampled: false,
};
export const clicksExample = {
  ...example,
  clicks: 912,
  elements: [{ selector: '#buy', clicks: 311, cells: [{ x: 4, y: 5, clicks: 120 }] }],
};
export const scrollsExample = {
  ...example,
  average_depth: 61.5,
  reached: [
    { depth: 0, views: 1840 },
    { depth: 50, views: 1102 },
    { depth: 100, views: 240 },
  ],
};

interface Days {
  date_from: string;
  date_to: string;
}

/** Returns the requested days, or the default ones; only requested days can have faults. */
export function daysOf(
  given: Partial<Days>,
  { timezone }: Pick<SiteSettings, 'timezone'>,
  now: Date,
): { days: Days; faults: FieldFault[] } {
  const last = given.date_to ?? todayIn(timezone, now);
  const days = { date_from: given.date_from ?? dayBefore(last, DEFAULT_DAYS - 1), date_to: last };
  return { days, faults: periodFaults(days, timezone, now).filter(({ field }) => field in given) };
}

/** An invalid date is returned unchanged, to be refused. */
function dayBefore(day: string, days: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : new Date(at - days * DAY_MS).toISOString().slice(0, 10);
}

/** @param id id of a saved segment, if given */
export async function segmentNamed(
  { pool }: { pool: pg.Pool },
  { siteId }: Pick<SiteSettings, 'siteId'>,
  id: string | undefined,
): Promise<SavedSegment> {
  return id === undefined ? { segment: null, faults: [] } : findSavedSegment(pool, siteId, id, 'segment');
}

type Site = Pick<SiteSettings, 'timezone'>;

export function toClicks(question: PageQuestion, site: Site, map: ClickMap): Static<typeof ClickMapOutput> {
  const { views, clicks, elements, sampled } = map;
  return { ...questionFieldsOf(question, site), views, sampled, clicks, elements };
}

export function toScrolls(question: PageQuestion, site: Site, map: ScrollMap): Static<typeof ScrollMapOutput> {
  const { views, averageDepth, reached, sampled } = map;
  return {
    ...questionFieldsOf(question, site),
    views,
    sampled,
    average_depth: averageDepth,
    reached: SCROLL_DEPTHS.map((depth, index) => ({ depth, views: reached[index] ?? 0 })),
  };
}

function questionFieldsOf({ page, date_from, date_to }: PageQuestion, { timezone }: Site) {
  return { page, date_from, date_to, timezone };
}
