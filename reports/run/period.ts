/** The days of a report as instants. */
import type { LakeConnection } from '../lake/connection.ts';
import { literal } from '../lake/database.ts';
import type { ReportRequest, ReportSite } from '../request.ts';
import type { Span } from './freshVisits.ts';

/** A conversion, an order or a line may be of a visit that began so long before it. */
const BEFORE_MS = 91 * 86_400_000;

/** @returns from the first instant of the first day to the end of the last, by the zone's rules as DuckDB knows them, and 91 days before */
export async function spanOf(connection: LakeConnection, { date_from: from, date_to: to }: ReportRequest, { timezone }: ReportSite): Promise<Span> {
  const instant = (day: string): string => `epoch_ms(timezone(${literal(timezone)}, ${day}::TIMESTAMP))`;
  const [row] = await connection.query<{ from: bigint; to: bigint }>(`select ${instant(`DATE ${literal(from)}`)} as "from", ${instant(`(DATE ${literal(to)} + 1)`)} as "to"`);
  if (row === undefined) throw new Error('DuckDB gave no row');
  return { from: Number(row.from) - BEFORE_MS, to: Number(row.to) };
}
