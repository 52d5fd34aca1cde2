import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { exportQuery, isUnfinished, type Export } from '../../../../data/report/exports.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../../ui/buttons/Buttons.tsx';
import { DownloadButton } from '../../../../ui/buttons/DownloadButton.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { Modal } from '../../../../ui/dialogs/Modal.tsx';
import { Notice } from '../../../../ui/messages/Notice.tsx';
import { Problem } from '../../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import { ExportProgress } from '../../parts/ExportProgress.tsx';

/** Shows the progress of the requested file, and the link to it. */
export function ExportDialog({ site, made, onClose }: { site: string; made: Export; onClose: () => void }) {
  const words = useWords();
  const { report } = words;
  const { number } = useFormat();
  const { data = made, error } = useQuery({ ...exportQuery(site, made.id), initialData: made });
  const isWaiting = isUnfinished(data);
  return (
    <Modal title={isWaiting ? report.exportQueued : report.exportMade} isOpen onClose={onClose}>
      {error && <Problem error={error} />}
      {isWaiting && (
        <>
          <ExportProgress file={data} label={report.exportQueued} />
          <Hint>{report.exportQueuedAbout}</Hint>
        </>
      )}
      {data.rows !== null && <p>{report.exportRows(number(data.rows))}</p>}
      {data.error && (
        <Notice tone="bad">{words.exportsPage.errors[data.error.code] ?? words.exportsPage.otherError}</Notice>
      )}
      <Buttons>
        {data.url !== null && <DownloadButton href={data.url}>{report.download}</DownloadButton>}
        <Button onPress={onClose}>{report.close}</Button>
      </Buttons>
      <Link to="/s/$site/exports" params={{ site }}>
        {report.allExports}
      </Link>
    </Modal>
  );
}
