import { Link } from '@tanstack/react-router';
import type { Recording } from '../../../data/sites/recordings.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Facts } from '../../../ui/tables/Facts.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { sourceText } from '../parts/sourceText.ts';

/** Shows the visit of a recording, and its retention. */
export function AboutRecording({ site, recording }: { site: string; recording: Recording }) {
  const words = useWords();
  const format = useFormat();
  const { facts, about } = words.recording;
  return (
    <Card title={about}>
      <Facts
        rows={[
          [
            facts.visitor,
            <Link key="visitor" to="/s/$site/visitors/$visitor" params={{ site, visitor: recording.visitor_id }}>
              {recording.visitor_id}
            </Link>,
          ],
          [facts.duration, format.span(recording.duration_ms)],
          [facts.source, sourceText(recording, words)],
          [facts.entry, recording.entry_page],
          [facts.browser, recording.user_agent],
          [facts.until, format.moment(recording.expires_at)],
        ]}
      />
    </Card>
  );
}
