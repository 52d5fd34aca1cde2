/** Notes that a reader of a report needs to understand its figures. */
import { dimensionsUsed } from '../compile/index.ts';
import type { LakeConnection } from '../lake/connection.ts';
import { SITES_DATABASE } from '../lake/database.ts';
import { quotedText } from '../sql/quotedText.ts';
import type { Language } from '../../domain/language.ts';
import type { Note, NoteCode, ReportRequest } from '../reportRequest.ts';

const MESSAGES: Readonly<Record<NoteCode, Record<Language, string>>> = {
  missing_rate: {
    en: 'Amounts of money leave out orders in a currency for which the site has no exchange rate.',
    ru: 'Заказы в валютах, для которых в настройках сайта нет курса, не вошли в денежные показатели.',
  },
  no_city_database: {
    en: 'Regions and cities of visits are unknown because the installation has no city database.',
    ru: 'Регионы и города визитов не определяются: в этой установке нет базы городов.',
  },
};

/** The dimensions of visits that only a city database fills; those of persons are values from the site. */
const BY_CITY_DATABASE: ReadonlySet<string> = new Set(['region', 'city']);

/** The last state that the ingest worker reported; there is no row before its first report. */
const CITY_DATABASE = `select (report->>'cityDatabase')::boolean as is_there from service_reports where service = 'ingest'`;

export function noteOf(code: NoteCode, language: Language): Note {
  return { code, message: MESSAGES[code][language] };
}

/**
 * Returns whether the report uses regions or cities, which this installation does not determine.
 * @param connection with PostgreSQL attached
 */
export async function lacksCities(connection: LakeConnection, request: ReportRequest): Promise<boolean> {
  if (!dimensionsUsed(request).some((id) => BY_CITY_DATABASE.has(id))) return false;
  const [row] = await connection.query<{ is_there: boolean }>(
    `from postgres_query('${SITES_DATABASE}', ${quotedText(CITY_DATABASE)})`,
  );
  return row?.is_there === false;
}
