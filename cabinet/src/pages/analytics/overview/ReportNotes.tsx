import type { Report } from '../../../data/sites/reports.ts';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Shows notes about the figures of a report. */
export function ReportNotes({ report: { sampled, notes = [] } }: { report: Report }) {
  const { overview } = useWords();
  return (
    <>
      {sampled && <Hint>{overview.sampled}</Hint>}
      {notes.map(({ code }) => (
        <Hint key={code}>{overview.notes[code]}</Hint>
      ))}
    </>
  );
}
