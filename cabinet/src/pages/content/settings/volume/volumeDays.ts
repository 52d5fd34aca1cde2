import type { cabinet } from '../../../../data/client.ts';
import { listDays } from '../../../../data/period.ts';

const MOSCOW = 'Europe/Moscow';

/**
 * Returns units by day, from the first of the month to its end or to today, followed by later days on which its units
 * were used.
 */
export function volumeDays(
  { month, days }: Pick<cabinet.Usage, 'month' | 'days'>,
  now: Date,
): { day: string; used: number }[] {
  const today = new Intl.DateTimeFormat('sv', { timeZone: MOSCOW }).format(now);
  const [from, end] = [`${month}-01`, lastDayOf(month)];
  const last = days.at(-1)?.day ?? '';
  const to = [last, today < end ? today : end].toSorted().at(-1) ?? end;
  const used = new Map(days.map((one) => [one.day, one.used]));
  return to < from ? [] : listDays({ from, to }).map((day) => ({ day, used: used.get(day) ?? 0 }));
}

function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10);
}
