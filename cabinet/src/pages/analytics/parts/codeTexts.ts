/** Converts the codes in rows of reports to words. */
import type { Words } from '../../../words/en/index.ts';

type CodeText = (code: string) => string | undefined;

/** 1 January 2024 was a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** Returns the text of a dimension's code; undefined if it has no other text. */
export function codeTexts(
  ...given: Parameters<typeof textsByDimension>
): (dimension: string, code: string) => string | undefined {
  const known = textsByDimension(...given);
  return (dimension, code) => known[dimension.split(':')[0] ?? '']?.(code);
}

/** Returns the texts of the dimensions whose codes the rows show as words, by identifier. */
export function textsByDimension(
  language: string,
  { codes, rowCodes }: Pick<Words, 'codes' | 'rowCodes'>,
  format: { month(month: string): string },
): Readonly<Record<string, CodeText>> {
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const hours = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const weekdays = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const countries = new Intl.DisplayNames(language, { type: 'region' });
  const country: CodeText = (code) => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined);
  const from =
    (texts: Readonly<Record<string, string>>): CodeText =>
    (code) =>
      texts[code];
  const yesNo = from(rowCodes.yesNo);
  return {
    date: (code) => (isDay(code) ? days.format(Date.parse(code)) : undefined),
    month: (code) => (/^\d{4}-\d\d$/.test(code) ? format.month(code) : undefined),
    date_hour: (code) => (isDay(code.slice(0, 10)) ? hours.format(Date.parse(`${code}Z`)) : undefined),
    hour: (code) => `${code}:00`,
    day_of_week: (code) => (/^[1-7]$/.test(code) ? weekdays.format(MONDAY + (Number(code) - 1) * DAY_MS) : undefined),
    source_type: from(codes.source_type),
    device_type: from(codes.device_type),
    visitor_type: from(rowCodes.visitorType),
    country,
    geo_person_country: country,
    bounce: yesNo,
    is_robot: yesNo,
    logged_in: yesNo,
    has_children: yesNo,
    robot_reason: from(rowCodes.robotReason),
    goal_source: from(rowCodes.goalSource),
    order_status: from(rowCodes.orderStatus),
    gender: from(rowCodes.gender),
    value_source: from(rowCodes.valueSource),
  };
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
