/** Actions on an item, beside its title. */
import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { refreshItem, type Item } from '../../../data/items/items.ts';
import { useRefusal } from '../../../data/account/refusal.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { ActionMenu } from '../../../ui/buttons/ActionMenu.tsx';
import { Button } from '../../../ui/buttons/Button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { LinkButton } from '../../../ui/buttons/LinkButton.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { StepsDialog } from './analysis/StepsDialog.tsx';
import type { RerunItem } from './analysis/useRerunItem.ts';
import styles from './ItemPage.module.css';

interface Props {
  project: string;
  item: Item;
  rerun: RerunItem;
}

export function ItemActions({ project, item, rerun }: Props) {
  const { item: words, refusals } = useWords();
  const mayChange = useMayChange();
  const reason = useRefusal(project);
  const [open, setOpen] = useState<'steps' | 'removal' | null>(null);
  const show = useMutation({
    mutationFn: (available: boolean) =>
      api.patchProjectItem({ path: { id: project, item: item.id }, body: { available } }),
    onSuccess: () => refreshItem(project, item.id),
  });
  const refusal = reason && refusals[reason];
  const chooseSteps = (): void => {
    // The dialog would show the error of an earlier rerun as its own.
    if (rerun.isError) rerun.reset();
    setOpen('steps');
  };
  if (item.deleted) return null;
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        {reason === null && (
          <LinkButton to="/p/$project/items/$item/edit" params={{ project, item: item.id }}>
            {words.change}
          </LinkButton>
        )}
        <Button isDisabled={reason !== null} isPending={rerun.isPending} onPress={() => rerun.mutate(null)}>
          <RotateCw aria-hidden size={16} />
          {words.rerun}
        </Button>
        <ActionMenu
          label={words.actions}
          actions={[
            { text: words.rerunSome, refusal, onAction: chooseSteps },
            {
              text: item.available ? words.hide : words.show,
              refusal,
              onAction: () => show.mutate(!item.available),
            },
            {
              text: words.remove,
              refusal: mayChange ? null : refusals.owner,
              isDanger: true,
              onAction: () => setOpen('removal'),
            },
          ]}
        />
      </div>
      {refusal && <Hint>{refusal}</Hint>}
      {rerun.isSuccess && (
        <p role="status" className={styles.hint}>
          {words.rerunStarted}
        </p>
      )}
      {(rerun.error ?? show.error) && <Problem error={rerun.error ?? show.error ?? new Error()} />}
      <StepsDialog isOpen={open === 'steps'} onClose={() => setOpen(null)} rerun={rerun} />
      <DeleteItemDialog project={project} id={item.id} isOpen={open === 'removal'} onClose={() => setOpen(null)} />
    </div>
  );
}

interface DeleteItemDialogProps {
  project: string;
  id: string;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteItemDialog({ project, id, isOpen, onClose }: DeleteItemDialogProps) {
  const { item: words } = useWords();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.deleteProjectItem({ path: { id: project, item: id } }),
    onSuccess: async () => {
      onClose();
      await refreshItem(project, id);
    },
  });
  return (
    <ConfirmDialog
      title={words.removeTitle}
      action={words.remove}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => mutate()}
      isPending={isPending}
      error={error}
    >
      <p>{words.removeAbout}</p>
    </ConfirmDialog>
  );
}
