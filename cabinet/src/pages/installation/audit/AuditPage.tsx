/** The audit trail: an administrator sees everything, an owner only the changes of the owner's projects and sites. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { meQuery } from '../../../data/account/account.ts';
import type { AuditFilter } from '../../../data/installation/auditFilter.ts';
import { auditQuery } from '../../../data/installation/installation.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable } from './AuditTable.tsx';

export function AuditPage() {
  const { account } = useWords();
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  if (me.role !== 'viewer') return <Trail isAdmin={me.role === 'admin'} />;
  return (
    <Page title={account.changes}>
      <Empty title={account.noChanges} />
    </Page>
  );
}

function Trail({ isAdmin }: { isAdmin: boolean }) {
  const { account, audit, table } = useWords();
  const filter = useSearch({ from: '/shell/installation/audit' });
  const navigate = useNavigate();
  const query = useInfiniteQuery(auditQuery(filter));
  const show = (search: AuditFilter): void =>
    void navigate({ to: '/installation/audit', search, replace: true, resetScroll: false });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const nothing = isFiltered ? (
    <Empty title={table.nothingFound}>
      <Button onPress={() => show({})}>{table.clear}</Button>
    </Empty>
  ) : (
    <Empty title={audit.empty} />
  );
  return (
    <Page
      title={account.changes}
      about={audit.about}
      above={isAdmin && <Link to="/installation">{account.installation}</Link>}
    >
      <AuditFilters
        filter={filter}
        actor={query.data?.find(({ user_id: user }) => user === filter.user)?.actor ?? null}
        onChange={show}
      />
      <PaginatedList query={query} empty={nothing}>
        {(rows) => <AuditTable rows={rows} filter={filter} />}
      </PaginatedList>
    </Page>
  );
}
