import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Suspense, useState } from 'react';
import { api } from '../../../../data/client.ts';
import { FORMATS, type Export } from '../../../../data/report/exports.ts';
import type { ReportRequest } from '../../../../data/report/reportAddress.ts';
import { lazyWithReload } from '../../../../loading/reloadOutdated.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Problem } from '../../../../ui/messages/Problem.tsx';
import { useWords } from '../../../../words/preferences.tsx';

/** Loaded on demand for users who export. */
const ExportDialog = lazyWithReload(async () => (await import('./ExportDialog.tsx')).ExportDialog);

/** Exports the report. A file that is ready immediately is downloaded immediately. */
export function ExportButtons({ site, report }: { site: string; report: ReportRequest }) {
  const words = useWords();
  const [made, setMade] = useState<Export | null>(null);
  const make = useMutation({
    mutationFn: async (format: Export['format']) =>
      (await api.createExport({ path: { id: site }, body: { report, format } })).data,
    onSuccess: (created) => {
      setMade(created);
      // The page stays open, because the response is a download.
      if (created.url !== null) location.assign(created.url);
    },
  });
  return (
    <>
      {FORMATS.map((format) => (
        <Button
          key={format}
          aria-label={words.report.export(format.toUpperCase())}
          isPending={make.isPending && make.variables === format}
          onPress={() => make.mutate(format)}
        >
          <Download aria-hidden size={16} />
          {format.toUpperCase()}
        </Button>
      ))}
      {make.error && <Problem error={make.error} />}
      <Suspense>{made && <ExportDialog site={site} made={made} onClose={() => setMade(null)} />}</Suspense>
    </>
  );
}
