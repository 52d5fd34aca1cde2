import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { eventTypesQuery, type EventType } from '../../../../data/project/projectSettings.ts';
import { lazyWithReload } from '../../../../loading/reloadOutdated.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { NewButton } from '../../../../ui/buttons/NewButton.tsx';
import { PaginatedList } from '../../../../ui/tables/PaginatedList.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { EventTypeTable } from './EventTypeTable.tsx';

/** Loaded on demand: most users only look at the page, or use another card. */
const EventTypeDialog = lazyWithReload(async () => (await import('./EventTypeDialog.tsx')).EventTypeDialog);

/** Lists the event types of a project. */
export function EventTypes({ project, isViewer }: { project: string; isViewer: boolean }) {
  const words = useWords();
  const { types } = words.settings;
  const query = useInfiniteQuery(eventTypesQuery(project));
  const [edited, setEdited] = useState<EventType | 'new' | null>(null);
  return (
    <Card
      title={types.title}
      aside={<NewButton text={types.make} isDisabled={isViewer} onPress={() => setEdited('new')} />}
    >
      {isViewer && <Hint>{words.refusals.owner}</Hint>}
      <PaginatedList query={query} empty={<p>{types.empty}</p>}>
        {(rows) => <EventTypeTable rows={rows} isViewer={isViewer} onChange={setEdited} />}
      </PaginatedList>
      {edited !== null && (
        <Suspense>
          <EventTypeDialog
            project={project}
            type={edited === 'new' ? null : edited}
            known={query.data ?? []}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
    </Card>
  );
}
