/**
 * One goal of a site, which can be tried on recent hits before it is saved. Without a code in the address it creates a
 * new one.
 */
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useLastFound, useNewest } from '../../../data/account/newest.ts';
import { goalsQuery } from '../../../data/sites/goals.ts';
import { reportFieldsQuery } from '../../../data/report/reportFields.ts';
import { siteQuery } from '../../../data/account/tenants.ts';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { GoalEditor } from './GoalEditor.tsx';

const PAGE = { from: '/shell/s/$site/goal' } as const;

export function GoalPage() {
  const { goals: list, goal: words, table } = useWords();
  const { site: id } = useParams(PAGE);
  const { code } = useSearch(PAGE);
  const site = useQuery(siteQuery(id));
  const { data: goals, ...newest } = useNewest(goalsQuery(id));
  const fields = useQuery(reportFieldsQuery(id));
  const error = site.error ?? newest.error ?? fields.error;
  const found = goals?.find((one) => one.code === code);
  const goal = useLastFound(found, (last) => last.code === code);
  const isReady = site.data && goals && fields.data;
  const isThere = code === undefined || goal !== undefined;
  const retry = () => void Promise.all([site.refetch(), newest.refetch(), fields.refetch()]);
  return (
    <Page
      title={goal?.title ?? code ?? list.make}
      above={
        <BackLink to="/s/$site/goals" params={{ site: id }}>
          {words.back}
        </BackLink>
      }
    >
      {error && <Problem error={error} onRetry={retry} />}
      {!isReady && !error && <p role="status">{table.loading}</p>}
      {isReady && !isThere && <Empty title={words.notHere} />}
      {isReady && isThere && (
        <GoalEditor
          key={code ?? ''}
          site={site.data}
          fields={fields.data}
          goal={goal ?? null}
          others={goals.filter((one) => one !== found)}
        />
      )}
    </Page>
  );
}
