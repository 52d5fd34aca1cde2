import { useQuery } from '@tanstack/react-query';
import { daysOf, todayIn } from '../../../../data/period.ts';
import { findDimension, type ReportFields } from '../../../../data/report/reportFields.ts';
import type { Filter } from '../../../../data/report/reportAddress.ts';
import { codeOf, reportQuery, type ReportRequest } from '../../../../data/sites/reports.ts';
import { siteQuery } from '../../../../data/account/tenants.ts';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import styles from './TopValues.module.css';
import { useReportText } from '../useReportText.ts';

interface Props {
  site: string;
  fields: ReportFields;
  filter: Filter;
  onChange: (filter: Filter) => void;
}

const SHOWN = 20;

/** Shows the most frequent values of a dimension in the last 30 days; a click adds one. */
export function TopValues({ site, fields, filter, onChange }: Props) {
  const { filter: text } = useWords().report;
  const { label } = useReportText(fields);
  const { data: found } = useQuery(siteQuery(site));
  const request = found && requestFor(fields, filter.dimension, todayIn(found.timezone));
  // Values of another dimension must not be shown while loading.
  const { placeholderData: _, ...query } = reportQuery(site, request ?? EMPTY);
  const { data } = useQuery({ ...query, enabled: request !== undefined });
  const codes = data?.data.flatMap(({ dimensions: [of = null] }) => (codeOf(of) === null ? [] : [of])) ?? [];
  const take = (code: string): void => {
    const others = filter.values.filter((value) => value !== '' && value !== code);
    onChange({ ...filter, values: filter.op === 'in' ? [...others, code] : [code] });
  };
  if (!data) return null;
  if (codes.length === 0) return <Hint>{text.none}</Hint>;
  return (
    <div className={styles.values}>
      <Hint>{text.known}</Hint>
      {codes.map((of) => {
        const code = codeOf(of) ?? '';
        return (
          <button key={code} type="button" className={styles.value} onClick={() => take(code)}>
            {label(filter.dimension, of)}
          </button>
        );
      })}
    </div>
  );
}

const EMPTY: ReportRequest = { metrics: ['visits'], date_from: '', date_to: '' };

/** Requests the values of a dimension with the metric that fits it: a dimension of hits counts hits, for example. */
function requestFor(fields: ReportFields, dimension: string, today: string): ReportRequest {
  const { from, to } = daysOf({ period: '30d' }, today);
  const level = findDimension(fields, dimension)?.level ?? 'visit';
  return { dimensions: [dimension], metrics: [METRIC_BY_LEVEL[level]], date_from: from, date_to: to, limit: SHOWN };
}

const METRIC_BY_LEVEL = {
  visit: 'visits',
  hit: 'hits',
  goal: 'conversions',
  order: 'orders',
  product: 'product_orders',
  person: 'people',
} as const;
