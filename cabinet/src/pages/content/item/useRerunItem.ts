import { useMutation } from '@tanstack/react-query';
import { api, type cabinet } from '../../../data/client.ts';
import { refreshItem } from '../../../data/items.ts';

export type NamedStep = NonNullable<cabinet.ReprocessRequest['steps']>[number];

/** Returns a mutation that reruns steps of an item; null stands for all steps. */
export function useRerunItem(project: string, item: string) {
  return useMutation({
    mutationFn: (steps: NamedStep[] | null) =>
      api.reprocessProjectItem({ path: { id: project, item }, body: { steps } }),
    onSuccess: () => refreshItem(project, item),
  });
}
export type RerunItem = ReturnType<typeof useRerunItem>;
