import { useMutation } from '@tanstack/react-query';
import { api, AttuneError } from '../../../../data/client.ts';
import { refreshPipeline, type RerunRequest } from '../../../../data/items/pipeline.ts';

/** Returns a mutation that starts a rerun. `isBusy`: refused because another one is running. */
export function useRerun(project: string, onStarted: () => void) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: RerunRequest) => api.createRerun({ path: { id: project }, body }),
    onSuccess: async () => {
      await refreshPipeline(project);
      onStarted();
    },
  });
  const isBusy = error instanceof AttuneError && error.details.some(({ field }) => field === '');
  return { start: mutate, error: isBusy ? null : error, isBusy, isPending };
}
