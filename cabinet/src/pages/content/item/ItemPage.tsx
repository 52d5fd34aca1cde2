/** One item: its media, transcript and frames, and the progress of the analysis. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { itemQuery, type Item } from '../../../data/items/items.ts';
import { lazyWithReload } from '../../../loading/reloadOutdated.ts';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { Status } from '../../../ui/messages/Status.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { AboutItem } from './AboutItem.tsx';
import { AnalysisSteps } from './analysis/AnalysisSteps.tsx';
import { ItemJson } from './ItemJson.tsx';
import { DeletedNotice } from './DeletedNotice.tsx';
import { DeliveriesCard } from './DeliveriesCard.tsx';
import { ItemActions } from './ItemActions.tsx';
import { ItemSummary } from './results/ItemSummary.tsx';
import { MediumView } from './media/MediumView.tsx';
import { ModerationCard } from './results/ModerationCard.tsx';
import { targetOf } from './media/placesToOpen.ts';
import { Blockers } from './analysis/Blockers.tsx';
import { TextCard } from './results/TextCard.tsx';
import { useRerunItem } from './analysis/useRerunItem.ts';
import styles from './ItemPage.module.css';

/** Loaded on demand together with the chart, so that the rest of the page need not wait. */
const AudienceAndSimilar = lazyWithReload(
  async () => (await import('./audience/AudienceAndSimilar.tsx')).AudienceAndSimilar,
);

export function ItemPage() {
  const words = useWords();
  const { project, item: id } = useParams({ from: '/shell/p/$project/items/$item' });
  const { data: item, error, refetch } = useQuery(itemQuery(project, id));
  const rerun = useRerunItem(project, id);
  const [target, setTarget] = useState<ReturnType<typeof targetOf>>({ moment: null, mark: null });
  const back = (
    <BackLink to="/p/$project/items" params={{ project }}>
      {words.item.back}
    </BackLink>
  );
  if (!item)
    return (
      <Page title={id} above={back}>
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <p role="status">{words.table.loading}</p>}
      </Page>
    );
  return (
    <Page
      title={item.title ?? item.id}
      above={back}
      about={<Headline item={item} />}
      actions={<ItemActions project={project} item={item} rerun={rerun} />}
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <DeletedNotice project={project} item={item} />
      <Blockers project={project} item={item} rerun={rerun} />
      {item.media.length > 0 && <MediumView item={item} moment={target.moment} />}
      <div className={styles.cards}>
        <div className={styles.column}>
          <ItemSummary item={item} />
          <TextCard project={project} item={item} mark={target.mark} />
        </div>
        <div className={styles.column}>
          <AnalysisSteps item={item} />
          <ModerationCard item={item} onOpen={({ place }) => place && setTarget(targetOf(place))} />
        </div>
        <div className={styles.column}>
          <DeliveriesCard project={project} item={item.id} />
          <AboutItem item={item} />
        </div>
      </div>
      <Suspense fallback={<p role="status">{words.table.loading}</p>}>
        <AudienceAndSimilar key={item.id} project={project} item={item} />
      </Suspense>
      <ItemJson item={item} />
    </Page>
  );
}

function Headline({ item }: { item: Item }) {
  const words = useWords();
  const format = useFormat();
  return (
    <>
      <Status status={item.status} />
      <span>{words.types[item.type]}</span>
      <code>{item.id}</code>
      <span>{words.item.updated(format.moment(item.updated_at))}</span>
      {item.deleted && <strong>{words.items.deleted}</strong>}
      {!item.available && !item.deleted && <strong>{words.items.unavailable}</strong>}
    </>
  );
}
