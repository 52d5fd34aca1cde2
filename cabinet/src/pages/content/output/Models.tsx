import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Bars } from '../../../charts/Bars.tsx';
import { api, AttuneError } from '../../../data/client.ts';
import { modelsQuery, type Model } from '../../../data/output/output.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useRefusal } from '../../../data/account/refusal.ts';
import { Badge, type Tone } from '../../../ui/messages/Badge.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

const TONES: Record<Model['state'], Tone> = { training: 'busy', published: 'good', rejected: 'warn', failed: 'bad' };

export function Models({ project }: { project: string }) {
  const { output, refusals } = useWords();
  const refusal = useRefusal(project);
  const query = useInfiniteQuery(modelsQuery(project));
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => api.trainModel({ path: { id: project } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['models', project] }),
  });
  const isRunning = query.data?.some(({ state }) => state === 'training') ?? false;
  const isRefused = error instanceof AttuneError && error.status === 422;
  return (
    <Card
      title={output.models}
      aside={
        <Button isDisabled={refusal !== null || isRunning} isPending={isPending} onPress={() => mutate()}>
          {output.train}
        </Button>
      }
    >
      <Hint>{refusal ? `${output.modelsAbout} ${refusals[refusal]}` : output.modelsAbout}</Hint>
      {isRunning && isSuccess && <Notice tone="good">{output.training}</Notice>}
      {isRefused && <Notice tone="warn">{output.trainingRuns}</Notice>}
      {error && !isRefused && <Problem error={error} />}
      <PaginatedList query={query} empty={<p>{output.modelsEmpty}</p>}>
        {(models) => <ModelTable models={models} />}
      </PaginatedList>
    </Card>
  );
}

function ModelTable({ models }: { models: readonly Model[] }) {
  const { output } = useWords();
  const { moment, number } = useFormat();
  const { modelColumns } = output;
  const inForce = lastPublished(models);
  return (
    <DataTable
      label={output.models}
      rows={models}
      idOf={({ id }) => id}
      columns={[
        {
          key: 'started',
          title: modelColumns.started,
          cell: ({ id, kind, started_at: at }) => (
            <span>
              <RowTitle title={moment(at)} detail={id} />
              <Hint>{output.modelKinds[kind]}</Hint>
            </span>
          ),
        },
        {
          key: 'state',
          title: modelColumns.state,
          cell: ({ id, state, reason }) => (
            <span>
              <Badge tone={TONES[state]}>{id === inForce ? output.inForce : output.modelStates[state]}</Badge>
              {reason !== null && <Hint>{output.reasons[reason]}</Hint>}
            </span>
          ),
        },
        {
          key: 'data',
          title: modelColumns.data,
          cell: ({ events, items, people }) =>
            events === null || items === null || people === null
              ? output.none
              : output.modelData(number(events), number(items), number(people)),
        },
        { key: 'quality', title: modelColumns.quality, cell: (model) => <Quality model={model} /> },
      ]}
    />
  );
}

function lastPublished(models: readonly Model[]): string | undefined {
  const published = models.filter(({ state }) => state === 'published');
  return published.toSorted((a, b) => ((a.finished_at ?? '') < (b.finished_at ?? '') ? 1 : -1))[0]?.id;
}

/** Compares the model with popularity: the longer the bar, the better the choices of people were predicted. */
function Quality({ model: { quality } }: { model: Model }) {
  const { output } = useWords();
  const { number } = useFormat();
  if (quality === null) return output.none;
  const { ndcg, popular_7d: popular, recall } = quality;
  return (
    <div>
      <Bars
        title={output.quality}
        bars={[
          { key: 'model', label: output.ofModel, value: ndcg },
          { key: 'popular', label: output.ofPopular, value: popular },
        ]}
        format={(value) => number(Number(value.toFixed(3)))}
      />
      <Hint>{`${output.quality} · ${output.recall(number(Number(recall.toFixed(3))))}`}</Hint>
    </div>
  );
}
