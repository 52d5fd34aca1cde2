import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { refreshVisitors, type VisitorDetail } from '../../../data/sites/visitors.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Requests the deletion of all data of a visitor, which takes some time. */
export function DeleteVisitor({ site, visitor }: { site: string; visitor: VisitorDetail }) {
  const { visitor: words, refusals } = useWords();
  const mayChange = useMayChange();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.deleteVisitor({ path: { id: site, visitor_id: visitor.visitor_id } }),
    onSuccess: async () => {
      setIsAsking(false);
      await refreshVisitors(site);
    },
  });
  return (
    <>
      <Button kind="danger" isDisabled={!mayChange || visitor.being_deleted} onPress={() => setIsAsking(true)}>
        {words.remove}
      </Button>
      {!mayChange && <Hint>{refusals.owner}</Hint>}
      <ConfirmDialog
        title={words.removeTitle}
        isOpen={isAsking}
        action={words.remove}
        onConfirm={() => remove.mutate()}
        onClose={() => setIsAsking(false)}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>{words.removeAbout}</p>
        <p>{words.removeWhen}</p>
      </ConfirmDialog>
    </>
  );
}
