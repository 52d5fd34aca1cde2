import { ArrowDown, ArrowUp, Info } from 'lucide-react';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  title: string;
  isNumber: boolean;
  dir: 'asc' | 'desc' | null;
  onSort: () => void;
  /** Opens the explanation. */
  onAsk: () => void;
}

/** Shows a column head that sorts by its column, and explains it. */
export function ColumnHead({ title, isNumber, dir, onSort, onAsk }: Props) {
  const { report } = useWords();
  const sorted = dir === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" data-kind={isNumber ? 'number' : 'text'} aria-sort={dir === null ? undefined : sorted}>
      <button type="button" aria-label={report.sort(title)} onClick={onSort}>
        {title}
        {dir === 'asc' && <ArrowUp aria-hidden size={14} />}
        {dir === 'desc' && <ArrowDown aria-hidden size={14} />}
      </button>
      <button type="button" aria-label={report.about(title)} onClick={onAsk}>
        <Info aria-hidden size={14} />
      </button>
    </th>
  );
}
