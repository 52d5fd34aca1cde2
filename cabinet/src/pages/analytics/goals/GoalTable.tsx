import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { reachedByCode, reachedRequest, type Goal } from '../../../data/sites/goals.ts';
import { reportOfGoal } from '../../../data/report/reportOfGoal.ts';
import { todayIn } from '../../../data/period.ts';
import { reportQuery } from '../../../data/sites/reports.ts';
import { siteQuery, type Site } from '../../../data/account/tenants.ts';
import { ActionMenu, type Action } from '../../../ui/buttons/ActionMenu.tsx';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { conditionText } from './conditionText.ts';
import styles from './GoalTable.module.css';

interface Props {
  site: string;
  goals: readonly Goal[];
  actionsOf: (goal: Goal) => readonly Action[];
}

/** Shows the goals; their figures are loaded separately and delay nothing. */
export function GoalTable({ site, goals, actionsOf }: Props) {
  const { goals: words, report } = useWords();
  const { data: found } = useQuery(siteQuery(site));
  const goalCounts = useGoalCounts(site, found);
  const columns = useColumns({ site, currency: found?.currency ?? null, counts: goalCounts.counts, actionsOf });
  return (
    <>
      <DataTable label={words.list} columns={columns} rows={goals} idOf={({ code }) => code} />
      {goalCounts.error && <Problem error={goalCounts.error} onRetry={goalCounts.retry} />}
      {goalCounts.isSampled && <Hint>{report.sampled}</Hint>}
    </>
  );
}

function useGoalCounts(site: string, found: Site | undefined) {
  const request = reachedRequest(todayIn(found?.timezone ?? 'UTC'));
  const { data, error, refetch } = useQuery({ ...reportQuery(site, request), enabled: found !== undefined });
  return {
    counts: data ? reachedByCode(data) : null,
    isSampled: data?.sampled === true,
    error,
    retry: () => void refetch(),
  };
}

interface Shown extends Pick<Props, 'site' | 'actionsOf'> {
  /** Currency of the site; null while unknown. */
  currency: string | null;
  /** Null until the figures are loaded. */
  counts: ReadonlyMap<string, number> | null;
}

function useColumns({ site, currency, counts, actionsOf }: Shown): Column<Goal>[] {
  const { goals: words, goal } = useWords();
  const { columns } = words;
  const format = useFormat();
  return [
    {
      key: 'goal',
      title: columns.goal,
      cell: ({ code, title }) => (
        <RowTitle
          title={
            <Link to="/s/$site/goal" params={{ site }} search={{ code }}>
              {title}
            </Link>
          }
          detail={code}
        />
      ),
    },
    { key: 'what', title: columns.what, cell: (one) => conditionText(one, words) },
    {
      key: 'value',
      title: currency === null ? columns.value : goal.value(currency),
      kind: 'number',
      cell: ({ value }) => (value === null ? words.noValue : format.number(value)),
    },
    {
      key: 'reached',
      title: columns.reached,
      kind: 'number',
      cell: ({ code }) => (counts === null ? '…' : format.number(counts.get(code) ?? 0)),
    },
    {
      key: 'state',
      title: columns.state,
      cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'quiet'}>{enabled ? words.on : words.off}</Badge>,
    },
    { key: 'look', title: columns.look, cell: (one) => <GoalLinks site={site} goal={one} /> },
    {
      key: 'actions',
      title: columns.actions,
      kind: 'actions',
      cell: (one) => <ActionMenu label={words.actions(one.title)} actions={actionsOf(one)} />,
    },
  ];
}

/** Links from a goal to its figures and its people. */
function GoalLinks({ site, goal: { code, title } }: { site: string; goal: Goal }) {
  const { goals: words } = useWords();
  return (
    <span className={styles.links}>
      <Link to="/s/$site/report" params={{ site }} search={reportOfGoal(code)} aria-label={words.reportOf(title)}>
        {words.report}
      </Link>
      <Link to="/s/$site/visitors" params={{ site }} search={{ goal: code }} aria-label={words.visitorsOf(title)}>
        {words.visitors}
      </Link>
    </span>
  );
}
