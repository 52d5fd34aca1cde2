import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../../data/client.ts';
import type { Days, Period } from '../../../../data/period.ts';
import { contentOf, searchOfSaved, type SavedReport } from '../../../../data/report/savedReportAddress.ts';
import { refreshSavedReports } from '../../../../data/report/savedReports.ts';
import { reportOf, searchOf, type ReportState } from '../../../../data/report/reportAddress.ts';
import { useMayChange } from '../../../../data/account/rights.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../../ui/buttons/Buttons.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { Notice } from '../../../../ui/messages/Notice.tsx';
import { Problem } from '../../../../ui/messages/Problem.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { ExportButtons } from './ExportButtons.tsx';
import { SaveDialog } from './SaveDialog.tsx';

interface Props {
  site: string;
  state: ReportState;
  period: Period;
  days: Days;
  /** The saved report that it was opened from. */
  saved: SavedReport | undefined;
}

/** Buttons that save the report under a name, and export it. */
export function ReportActions({ site, state, period, days, saved }: Props) {
  const words = useWords();
  const { report } = words;
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const [isNaming, setNaming] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const content = contentOf(state, period, days);
  const finish = async (title: string): Promise<void> => {
    setNaming(false);
    setDone(title);
    await refreshSavedReports(site);
  };
  const change = useMutation({
    mutationFn: async (id: string) =>
      (await api.patchSavedReport({ path: { id: site, report: id }, body: content })).data,
    onSuccess: ({ title }) => finish(title),
  });
  const isChanged = saved !== undefined && !isSame(saved, state, period);
  return (
    <>
      <Buttons>
        {saved && (
          <Button
            kind="primary"
            isDisabled={!mayChange || !isChanged}
            isPending={change.isPending}
            onPress={() => change.mutate(saved.id)}
          >
            {report.saveChanges}
          </Button>
        )}
        <Button kind={saved ? 'plain' : 'primary'} isDisabled={!mayChange} onPress={() => setNaming(true)}>
          {saved ? report.saveAs : report.save}
        </Button>
        <ExportButtons site={site} report={reportOf(state, days)} />
      </Buttons>
      {!mayChange && <Hint>{words.refusals.owner}</Hint>}
      {change.error && <Problem error={change.error} />}
      {done !== null && !isChanged && <Notice tone="good" title={report.savedAs(done)} />}
      {isNaming && (
        <SaveDialog
          site={site}
          content={content}
          onClose={() => setNaming(false)}
          onSaved={({ id, title }) => {
            void navigate({ to: '.', search: { ...period, ...searchOf(state), saved: id }, replace: true });
            void finish(title);
          }}
        />
      )}
    </>
  );
}

/** Returns whether a saved report equals the one shown. */
function isSame(saved: SavedReport, state: ReportState, { period, from, to }: Period): boolean {
  const { saved: _1, period: period_ = '30d', from: from_, to: to_, ...stored } = searchOfSaved(saved);
  const { saved: _2, page: _3, ...shown } = searchOf(state);
  const isSamePeriod = from === from_ && to === to_ && (from !== undefined || (period ?? '30d') === period_);
  return isSamePeriod && sameJson({ ...stored, page: undefined }, { ...shown, page: undefined });
}

/** Compares ignoring undefined fields and the order of the others. */
function sameJson(one: object, other: object): boolean {
  const textOf = (value: object): string =>
    JSON.stringify(
      Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return textOf(one) === textOf(other);
}
