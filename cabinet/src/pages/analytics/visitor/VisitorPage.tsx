/** One visitor: visits with their results, orders, and attributes. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { visitorQuery, type VisitorDetail } from '../../../data/sites/visitors.ts';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { DeleteVisitor } from './DeleteVisitor.tsx';
import { VisitorAttributes } from './VisitorAttributes.tsx';
import { OrdersCard } from './OrdersCard.tsx';
import { VisitsCard } from './VisitsCard.tsx';

export function VisitorPage() {
  const { visitor: words, table } = useWords();
  const { site, visitor: id } = useParams({ from: '/shell/s/$site/visitors/$visitor' });
  const { data: visitor, error, refetch } = useQuery(visitorQuery(site, id));
  const back = (
    <BackLink to="/s/$site/visitors" params={{ site }}>
      {words.back}
    </BackLink>
  );
  if (!visitor)
    return (
      <Page title={words.title} above={back}>
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <p role="status">{table.loading}</p>}
      </Page>
    );
  return (
    <Page
      title={visitor.user_id ?? words.of(visitor.visitor_id.slice(0, 8))}
      above={back}
      about={<About visitor={visitor} />}
      actions={<DeleteVisitor site={site} visitor={visitor} />}
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {visitor.being_deleted && (
        <Notice tone="warn" title={words.beingDeleted}>
          <p>{words.beingDeletedAbout}</p>
        </Notice>
      )}
      <VisitsCard site={site} visitor={visitor} />
      {visitor.orders.length > 0 && <OrdersCard orders={visitor.orders} />}
      <VisitorAttributes visitor={visitor} />
    </Page>
  );
}

function About({ visitor: { visitor_id: id, visits, first_visit_at: first } }: { visitor: VisitorDetail }) {
  const { visitor: words } = useWords();
  const format = useFormat();
  return (
    <>
      <code>{id}</code>
      <span>{words.visitsOf(visits)}</span>
      {first !== null && <span>{words.since(format.moment(first))}</span>}
    </>
  );
}
