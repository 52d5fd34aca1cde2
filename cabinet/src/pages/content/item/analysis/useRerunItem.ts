import { useMutation } from '@tanstack/react-query';
import { api } from '../../../../data/client.ts';
import { refreshItem } from '../../../../data/items/items.ts';
import type { NamedStep } from '../../../../data/items/steps.ts';

/** Returns a mutation that reruns steps of an item; null stands for all steps. */
export function useRerunItem(project: string, item: string) {
  return useMutation({
    mutationFn: (steps: NamedStep[] | null) =>
      api.reprocessProjectItem({ path: { id: project, item }, body: { steps } }),
    onSuccess: () => refreshItem(project, item),
  });
}
export type RerunItem = ReturnType<typeof useRerunItem>;
