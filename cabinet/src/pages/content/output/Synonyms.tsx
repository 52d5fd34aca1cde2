import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, AttuneError } from '../../../data/client.ts';
import { useNewest } from '../../../data/account/newest.ts';
import { synonymsQuery } from '../../../data/output/output.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { linesOf, rowsOf, type SynonymRow } from '../../../data/output/synonymLines.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { CodeArea } from '../../../ui/fields/CodeArea.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import type { Words } from '../../../words/en/index.ts';

export function Synonyms({ project }: { project: string }) {
  const { output, table } = useWords();
  const { data: rows, error, refetch } = useNewest(synonymsQuery(project));
  return (
    <Card title={output.synonyms}>
      <Hint>{output.synonymsAbout}</Hint>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!rows && !error && <p role="status">{table.loading}</p>}
      {rows && <SynonymForm project={project} rows={rows} />}
    </Card>
  );
}

function SynonymForm({ project, rows }: { project: string; rows: readonly SynonymRow[] }) {
  const words = useWords();
  const { output, refusals } = words;
  const mayChange = useMayChange();
  const [text, setText] = useState(() => linesOf(rows));
  const lines = rowsOf(text, rows);
  const { mutate, error, isPending, isSuccess, reset } = useMutation({
    mutationFn: () => api.putSynonyms({ path: { id: project }, body: { synonyms: lines.map(({ row }) => row) } }),
    onSuccess: ({ data }) => queryClient.setQueryData(synonymsQuery(project).queryKey, data.synonyms),
  });
  const enter = (next: string): void => {
    setText(next);
    reset();
  };
  const fault = faultOfLines(error, lines, words);
  return (
    <Form onSubmit={() => mutate()} error={fault === null ? error : null}>
      <CodeArea
        label={output.synonymsLines}
        rows={Math.min(20, Math.max(5, lines.length + 1))}
        value={text}
        onChange={enter}
        isReadOnly={!mayChange}
        fault={fault}
      />
      {isSuccess && <Notice tone="good">{output.saved}</Notice>}
      {!mayChange && <Hint>{refusals.owner}</Hint>}
      <Buttons>
        <Button kind="primary" type="submit" isDisabled={!mayChange} isPending={isPending}>
          {output.save}
        </Button>
      </Buttons>
    </Form>
  );
}

/** Returns the numbers of the lines that the server rejected. */
function faultOfLines(error: Error | null, lines: ReturnType<typeof rowsOf>, { output }: Words): string | null {
  if (!(error instanceof AttuneError) || error.details.length === 0) return null;
  const numbers = error.details.flatMap(({ field }) => {
    const [, index] = /^synonyms\[(\d+)\]/.exec(field) ?? [];
    return index === undefined ? [] : [lines[Number(index)]?.line ?? 0];
  });
  const isTooMany = error.details.some(({ code }) => code === 'too_long' || code === 'too_many');
  if (numbers.length === 0) return isTooMany ? output.tooManySynonyms : null;
  return isTooMany ? output.tooManySynonyms : output.synonymFault([...new Set(numbers)].join(', '));
}
