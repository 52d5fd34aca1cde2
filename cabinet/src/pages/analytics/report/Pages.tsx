import { goToPage, type Change } from '../../../data/report/changes.ts';
import { PAGE_ROWS } from '../../../data/report/reportPages.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import type { LoadedReport } from './ReportTable.tsx';

interface Props {
  loaded: LoadedReport;
  onChange: (change: Change, isStep: boolean) => void;
}

/** Shows which rows of a long report are visible, and buttons to the previous and next pages. */
export function Pages({ loaded: { state, report }, onChange }: Props) {
  const { report: text } = useWords();
  const { number } = useFormat();
  const { page = 1 } = state;
  const from = (page - 1) * PAGE_ROWS + 1;
  const to = from + report.data.length - 1;
  if (report.rows <= PAGE_ROWS && page === 1) return null;
  return (
    <Buttons>
      <Button isDisabled={page === 1} onPress={() => onChange(goToPage(page - 1), true)}>
        {text.previous}
      </Button>
      <Button isDisabled={to >= report.rows} onPress={() => onChange(goToPage(page + 1), true)}>
        {text.next}
      </Button>
      {to >= from && <Hint>{text.rows(number(from), number(to), number(report.rows))}</Hint>}
    </Buttons>
  );
}
