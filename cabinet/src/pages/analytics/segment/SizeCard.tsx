import { useQuery } from '@tanstack/react-query';
import { daysOf } from '../../../data/period.ts';
import type { Conditions } from '../../../data/report/reportAddress.ts';
import { reportQuery, type ReportRequest } from '../../../data/sites/reports.ts';
import { useDebounced } from '../../../ui/fields/useDebounced.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './SegmentPage.module.css';

interface Props {
  site: string;
  today: string;
  /** Null while they are incomplete. */
  conditions: Conditions | null;
}

/** Debounce: the figure is not computed for each typed letter. */
const DEBOUNCE_MS = 500;

/** Shows how many visits and visitors of the last 30 days meet the conditions. */
export function SizeCard({ site, today, conditions }: Props) {
  const { segments, report, table } = useWords();
  const current = JSON.stringify(conditions);
  const text = useDebounced(current, DEBOUNCE_MS);
  const debounced = JSON.parse(text) as Conditions | null;
  const all = useQuery(reportQuery(site, requestOf(today, null)));
  const some = useQuery({ ...reportQuery(site, requestOf(today, debounced)), enabled: debounced !== null });
  const error = debounced === null ? null : (some.error ?? all.error);
  const isCounting = conditions !== null && (text !== current || some.isFetching);
  const [visits = 0, visitors = 0] = some.data?.totals ?? [];
  const [allVisits = 0, allVisitors = 0] = all.data?.totals ?? [];
  return (
    <Card title={segments.size}>
      <Hint>{conditions === null ? segments.sizeWaits : segments.sizeAbout}</Hint>
      {error && <Problem error={error} onRetry={() => void Promise.all([some.refetch(), all.refetch()])} />}
      {conditions !== null && some.data && !error && (
        <dl className={styles.size} aria-busy={isCounting}>
          <Size title={segments.visits} value={visits} of={allVisits} />
          <Size title={segments.visitors} value={visitors} of={allVisitors} />
        </dl>
      )}
      {isCounting && !error && <p role="status">{table.loading}</p>}
      {some.data?.sampled === true && <Hint>{report.sampled}</Hint>}
    </Card>
  );
}

function Size({ title, value, of }: { title: string; value: number; of: number }) {
  const { segments } = useWords();
  const format = useFormat();
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <strong>{format.number(value)}</strong>
        {of > 0 && <small>{segments.ofAll(format.percent(value / of))}</small>}
      </dd>
    </div>
  );
}

function requestOf(today: string, conditions: Conditions | null): ReportRequest {
  const { from, to } = daysOf({ period: '30d' }, today);
  return {
    metrics: ['visits', 'visitors'],
    date_from: from,
    date_to: to,
    ...(conditions !== null && { segment: conditions }),
  };
}
