import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { itemStatisticsQuery, type ItemStatistics } from '../../../../data/items/items.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { SelectField } from '../../../../ui/choices/SelectField.tsx';
import { Command } from '../../../../ui/dialogs/Command.tsx';
import { Empty } from '../../../../ui/messages/Empty.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { Problem } from '../../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import { eventCommand } from '../../events/eventCommand.ts';
import { Audience } from './Audience.tsx';
import { hasAudience } from './measures.ts';
import styles from './Audience.module.css';

const PERIODS = ['7', '28', '90'] as const;

/** Shows recent user activity with the item. */
export function AudienceCard({ project, item }: { project: string; item: string }) {
  const { audience, table } = useWords();
  const [days, setDays] = useState<(typeof PERIODS)[number]>('28');
  const { data, error, refetch } = useQuery(itemStatisticsQuery(project, item, Number(days)));
  const period = (
    <SelectField
      label={audience.period}
      value={days}
      options={PERIODS.map((value) => ({ value, text: audience.lastDays(Number(value)) }))}
      onChange={setDays}
    />
  );
  return (
    <Card
      title={audience.title}
      aside={
        <Link to="/p/$project/events" params={{ project }} search={{ item }}>
          {audience.toEvents}
        </Link>
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && hasAudience(data) && <Audience statistics={data}>{period}</Audience>}
      {data && !hasAudience(data) && (
        <>
          <div className={styles.choices}>{period}</div>
          <NoAudience item={item} />
        </>
      )}
      {data && <LeftOfDeleted statistics={data} />}
    </Card>
  );
}

function NoAudience({ item }: { item: string }) {
  const { audience } = useWords();
  return (
    <Empty title={audience.nobody}>
      <p>{audience.nobodyHint}</p>
      <Command text={eventCommand(item)} />
    </Empty>
  );
}

function LeftOfDeleted({ statistics }: { statistics: ItemStatistics }) {
  const { audience } = useWords();
  const { number } = useFormat();
  const events = statistics.of_deleted.reduce((sum, left) => sum + left.events, 0);
  return events > 0 && <Hint>{audience.ofDeleted(number(events))}</Hint>;
}
