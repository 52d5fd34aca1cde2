/** One recording of a session: the visitor's screen and actions over time. */
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { recordingQuery, timelineQuery, type Recording, type RecordingIds } from '../../../data/sites/recordings.ts';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { AboutRecording } from './AboutRecording.tsx';
import { Moments } from './Moments.tsx';
import { PlayerCard } from './PlayerCard.tsx';
import { RecordingActions } from './RecordingActions.tsx';
import { usePlayer } from './usePlayer.ts';
import styles from './Player.module.css';

const PAGE = { from: '/shell/s/$site/recordings/$recording' } as const;

export function RecordingPage() {
  const { recording: words, table } = useWords();
  const format = useFormat();
  const { site, recording: id } = useParams(PAGE);
  const { at = 0 } = useSearch(PAGE);
  const ids = useMemo(() => ({ site, recording: id }), [site, id]);
  const { data: recording, error, refetch } = useQuery(recordingQuery(ids));
  const back = (
    <BackLink to="/s/$site/recordings" params={{ site }}>
      {words.back}
    </BackLink>
  );
  if (!recording)
    return (
      <Page title={words.title} above={back}>
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <p role="status">{table.loading}</p>}
      </Page>
    );
  return (
    <Page
      title={words.of(format.moment(recording.started_at))}
      above={back}
      actions={<RecordingActions ids={ids} recording={recording} />}
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {/* A different position in the address starts the player anew. */}
      <RecordingView key={`${id} ${at}`} ids={ids} recording={recording} start={at * 1000} />
    </Page>
  );
}

/** Separate from the title, because it is rendered ten times a second. */
function RecordingView({ ids, recording, start }: { ids: RecordingIds; recording: Recording; start: number }) {
  const { recording: words, table } = useWords();
  const player = usePlayer(ids, start);
  const { data: timeline, error, refetch } = useQuery(timelineQuery(ids));
  return (
    <div className={styles.columns}>
      <PlayerCard recording={recording} player={player} moments={timeline?.moments ?? []} />
      <div className={styles.side}>
        {timeline ? (
          <Moments timeline={timeline} at={player.state.at} onSeek={player.seek} />
        ) : (
          <Card title={words.moments}>
            {error ? <Problem error={error} onRetry={() => void refetch()} /> : <p role="status">{table.loading}</p>}
          </Card>
        )}
        <AboutRecording site={ids.site} recording={recording} />
      </div>
    </div>
  );
}
