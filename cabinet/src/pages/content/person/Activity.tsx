import { useInfiniteQuery } from '@tanstack/react-query';
import { Bars } from '../../../charts/Bars.tsx';
import { typeTitles } from '../../../data/project/eventTypes.ts';
import { eventTypesQuery } from '../../../data/project/projectSettings.ts';
import type { Person } from '../../../data/project/people.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

/** Shows how often a person sent each type of event, the latest first. */
export function Activity({ project, activity }: { project: string; activity: Person['activity'] }) {
  const words = useWords();
  const { person } = words;
  const { number, moment } = useFormat();
  const { data: types = [] } = useInfiniteQuery(eventTypesQuery(project));
  const titles = typeTitles(types, words);
  return (
    <Card title={person.activity}>
      {activity.length === 0 && <Hint>{person.noActivity}</Hint>}
      {activity.length > 0 && (
        <Bars
          title={person.activity}
          bars={activity.map(({ type, events, last_at: at }) => ({
            key: type,
            value: events,
            label: (
              <>
                {titles.get(type) ?? type} <Hint>{person.last(moment(at))}</Hint>
              </>
            ),
          }))}
          format={number}
        />
      )}
    </Card>
  );
}
