import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import type { PersonName } from '../../../data/project/people.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Deletes a person with all devices immediately, as for a request to be forgotten. */
export function DeletePerson({ project, name: { user, kind } }: { project: string; name: PersonName }) {
  const { person, refusals } = useWords();
  const mayChange = useMayChange();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.deleteProjectUser({ path: { id: project, user_id: user }, query: { ...(kind && { kind }) } }),
    onSuccess: async () => {
      await navigate({ to: '/p/$project/users', params: { project } });
      queryClient.removeQueries({ queryKey: ['people', project] });
      await queryClient.invalidateQueries({ queryKey: ['events', project] });
    },
  });
  return (
    <>
      <Button kind="danger" isDisabled={!mayChange} onPress={() => setAsks(true)}>
        {person.remove}
      </Button>
      {!mayChange && <Hint>{refusals.owner}</Hint>}
      <ConfirmDialog
        title={person.removeTitle}
        isOpen={asks}
        action={person.remove}
        isPending={isPending}
        error={error}
        onConfirm={() => mutate()}
        onClose={() => setAsks(false)}
      >
        <p>{person.removeAbout}</p>
      </ConfirmDialog>
    </>
  );
}
