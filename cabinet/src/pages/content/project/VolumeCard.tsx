import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usageQuery } from '../../../data/project/projectSettings.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { VolumeBar } from '../settings/VolumeBar.tsx';

/** Shows the used share of the month's volume. */
export function VolumeCard({ project }: { project: string }) {
  const { project: words, settings, table } = useWords();
  const { data, error, refetch } = useQuery(usageQuery(project, undefined));
  return (
    <Card
      title={words.volume}
      aside={
        <Link to="/p/$project/settings" params={{ project }}>
          {words.toVolume}
        </Link>
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && <VolumeBar usage={data} />}
      <Hint>{settings.volume.about}</Hint>
    </Card>
  );
}
