/** Shows which analysis providers work, with a button that tests them again. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { areAwaited, isAwaited, providersQuery, type ProviderCheck } from '../../../data/installation/installation.ts';
import { Badge, type Tone } from '../../../ui/messages/Badge.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat, type Format } from '../../../words/format.ts';
import type { Words } from '../../../words/en/index.ts';
import { useWords } from '../../../words/preferences.tsx';

const TONES: Record<ProviderCheck['state'], Tone> = { works: 'good', fails: 'bad', builtin: 'quiet', off: 'quiet' };

export function Providers() {
  const words = useWords();
  const { providers } = words.installation;
  const format = useFormat();
  const [before, setBefore] = useState<readonly ProviderCheck[] | null>(null);
  const { data, error, refetch } = useQuery(providersQuery(before));
  const check = useMutation({
    mutationFn: () => api.checkProviders({}),
    onSuccess: () => setBefore(data ?? []),
  });
  const fault = error ?? check.error;
  const retry = (): void => {
    if (check.error) check.mutate();
    void refetch();
  };
  const button = (
    <Button isPending={check.isPending} onPress={() => check.mutate()}>
      {providers.check}
    </Button>
  );
  return (
    <Card title={providers.title} aside={button}>
      {fault && <Problem error={fault} onRetry={retry} />}
      {!data && !error && <p role="status">{words.table.loading}</p>}
      {data && data.length === 0 && <Hint>{providers.none}</Hint>}
      {data && data.length > 0 && (
        <DataTable
          label={providers.title}
          columns={columnsOf(words, format, before)}
          rows={data}
          idOf={({ capability }) => capability}
        />
      )}
      {areAwaited(data, before) && <p role="status">{providers.checking}</p>}
      <Hint>{providers.about}</Hint>
    </Card>
  );
}

function columnsOf(words: Words, format: Format, before: readonly ProviderCheck[] | null): Column<ProviderCheck>[] {
  const { providers } = words.installation;
  return [
    {
      key: 'capability',
      title: providers.columns.capability,
      cell: ({ capability, model }) => (
        <RowTitle title={providers.capabilities[capability]} {...(model !== null && { detail: model })} />
      ),
    },
    {
      key: 'state',
      title: providers.columns.state,
      cell: (check) =>
        isAwaited(check, before) ? (
          <Badge tone="busy">{providers.awaited}</Badge>
        ) : (
          <Badge tone={toneOf(check)}>{providers.states[check.state]}</Badge>
        ),
    },
    { key: 'about', title: providers.columns.about, cell: (check) => aboutCheck(check, words, format) },
  ];
}

function aboutCheck(check: ProviderCheck, words: Words, format: Format): string {
  const { providers, work } = words.installation;
  const { capability, state, code, checked_at: at } = check;
  if (state === 'fails') {
    const fault = providers.faultsOf[capability]?.[code ?? ''] ?? providers.faults[code ?? ''];
    return providers.failed(fault ?? providers.other(code ?? ''), format.moment(at));
  }
  const missing = code === null ? undefined : providers.missing[code];
  const sentences = [aboutWorking(check, words, format), missing].filter((text) => text !== undefined);
  return sentences.join(' ') || work.none;
}

function aboutWorking({ capability, state, millis, checked_at: at }: ProviderCheck, words: Words, format: Format) {
  const { providers } = words.installation;
  if (state === 'builtin') return providers.builtin[capability];
  return state === 'works' && millis !== null ? providers.took(format.span(millis), format.moment(at)) : undefined;
}

/** A capability that lacks files works, but less well. */
function toneOf({ state, code }: ProviderCheck): Tone {
  return state !== 'fails' && code !== null ? 'warn' : TONES[state];
}
