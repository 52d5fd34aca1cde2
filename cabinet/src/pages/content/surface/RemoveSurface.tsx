import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { useWords } from '../../../words/preferences.tsx';

export function RemoveSurface({ project, surface }: { project: string; surface: string }) {
  const { surface: words } = useWords();
  const mayChange = useMayChange();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.deleteSurface({ path: { id: project, surface } }),
    onSuccess: async () => {
      await navigate({ to: '/p/$project/output', params: { project } });
      queryClient.removeQueries({ queryKey: ['surfaces', project, surface] });
      await queryClient.invalidateQueries({ queryKey: ['surfaces', project], exact: true });
    },
  });
  return (
    <>
      <Button kind="danger" isDisabled={!mayChange} onPress={() => setAsks(true)}>
        {words.remove}
      </Button>
      <ConfirmDialog
        title={words.removeTitle}
        isOpen={asks}
        action={words.remove}
        isPending={isPending}
        error={error}
        onConfirm={() => mutate()}
        onClose={() => setAsks(false)}
      >
        <p>{words.removeAbout}</p>
      </ConfirmDialog>
    </>
  );
}
