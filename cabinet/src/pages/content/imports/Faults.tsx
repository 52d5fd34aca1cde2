import { useState } from 'react';
import type { ImportLineError } from '../../../data/items/imports.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { DataTable, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { faultRows, type FaultRow } from './faultRows.ts';

/** Number of rows shown at first, and added by each press of the button. */
const SHOWN = 50;

interface Props {
  errors: readonly ImportLineError[];
  /** Total number of errors, of which only the first are kept. */
  failed: number;
}

/** Lists errors by line and field. */
export function Faults({ errors, failed }: Props) {
  const words = useWords();
  const { imports, table } = words;
  const format = useFormat();
  const [limit, setLimit] = useState(SHOWN);
  if (errors.length === 0) return null;
  const rows = faultRows(errors, words);
  const columns: Column<FaultRow>[] = [
    { key: 'line', title: imports.columns.line, kind: 'number', cell: ({ line }) => format.number(line) },
    { key: 'reason', title: imports.columns.reason, cell: ({ reason }) => <strong>{reason}</strong> },
    { key: 'field', title: imports.columns.field, cell: ({ field }) => (field === null ? '—' : <code>{field}</code>) },
    { key: 'item', title: imports.columns.item, cell: ({ item }) => (item === null ? '—' : <code>{item}</code>) },
  ];
  return (
    <>
      <DataTable label={imports.faults} columns={columns} rows={rows.slice(0, limit)} idOf={({ key }) => key} />
      {rows.length > limit && (
        <Buttons>
          <Button onPress={() => setLimit(limit + SHOWN)}>{table.more}</Button>
        </Buttons>
      )}
      {failed > errors.length && <Hint>{imports.firstOnly(format.number(errors.length))}</Hint>}
    </>
  );
}
