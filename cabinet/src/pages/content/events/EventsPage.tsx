/** Events as they arrive, including rejected ones with the reasons; or those of a person or an item. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { EventFilter } from '../../../data/project/eventFilter.ts';
import { titleOfType } from '../../../data/project/eventTypes.ts';
import { eventTypesQuery } from '../../../data/project/projectSettings.ts';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { EventFilters } from './EventFilters.tsx';
import { LatestEvents } from './LatestEvents.tsx';
import { EventResults } from './EventResults.tsx';

const PAGE = { from: '/shell/p/$project/events' } as const;

export function EventsPage() {
  const words = useWords();
  const { events } = words;
  const { project } = useParams(PAGE);
  const filter = useSearch(PAGE);
  const navigate = useNavigate();
  const { data: types = [] } = useInfiniteQuery(eventTypesQuery(project));
  const show = (search: EventFilter): void =>
    void navigate({ to: '/p/$project/events', params: { project }, search, replace: true, resetScroll: false });
  const isOfSomething = filter.user !== undefined || filter.item !== undefined;
  const states = types.filter(({ mode }) => mode !== 'fact').map((type) => titleOfType(type, words));
  const facts = [
    events.live,
    events.kept,
    events.uncounted,
    ...(isOfSomething || states.length === 0 ? [] : [events.statesHour(states.join(', '))]),
  ];
  return (
    <Page title={events.title}>
      <EventFilters types={types} filter={filter} onChange={show} />
      <Hint>{facts.join(' ')}</Hint>
      {isOfSomething ? (
        <EventResults project={project} filter={filter} onClear={() => show({})} />
      ) : (
        <LatestEvents project={project} filter={filter} onClear={() => show({})} />
      )}
    </Page>
  );
}
