import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { itemsIn, refreshPipeline, rerunsQuery, type Pipeline, type Rerun } from '../../../data/items/pipeline.ts';
import { useRefusal } from '../../../data/account/refusal.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { RerunDialog } from './reruns/RerunDialog.tsx';
import { RerunRow } from './RerunRow.tsx';

/** Lists past and current reruns, with buttons to start and stop them. */
export function Reruns({ project, pipeline }: { project: string; pipeline: Pipeline }) {
  const words = useWords();
  const { reruns } = words.pipeline;
  const mayChange = useMayChange();
  const refusal = useRefusal(project);
  const query = useInfiniteQuery(rerunsQuery(project));
  const [isMaking, setMaking] = useState(false);
  const [stopping, setStopping] = useState<Rerun | null>(null);
  const stop = useMutation({
    mutationFn: ({ id }: Rerun) => api.cancelRerun({ path: { id: project, rerun: id } }),
    onSuccess: async () => {
      await refreshPipeline(project);
      setStopping(null);
    },
  });
  return (
    <Card
      title={reruns.title}
      aside={
        <Button isDisabled={refusal !== null} onPress={() => setMaking(true)}>
          {reruns.make}
        </Button>
      }
    >
      <Hint>{refusal ? words.refusals[refusal] : reruns.about}</Hint>
      <PaginatedList query={query} empty={<p>{reruns.none}</p>}>
        {(rows) => (
          <ul>
            {rows.map((rerun) => (
              <RerunRow
                key={rerun.id}
                rerun={rerun}
                max={pipeline.counted ? itemsIn(pipeline) : null}
                {...(mayChange && { onStop: () => setStopping(rerun) })}
              />
            ))}
          </ul>
        )}
      </PaginatedList>
      {isMaking && <RerunDialog project={project} onClose={() => setMaking(false)} />}
      <ConfirmDialog
        title={reruns.stopTitle}
        isOpen={stopping !== null}
        action={reruns.stop}
        isPending={stop.isPending}
        error={stop.error}
        onConfirm={() => stopping && stop.mutate(stopping)}
        onClose={() => setStopping(null)}
      >
        <p>{reruns.stopAbout}</p>
      </ConfirmDialog>
    </Card>
  );
}
