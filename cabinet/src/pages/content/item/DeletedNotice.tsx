import { useMutation } from '@tanstack/react-query';
import { api } from '../../../data/client.ts';
import { refreshItem, wholeItemQuery, type Item } from '../../../data/items/items.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useRefusal } from '../../../data/account/refusal.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { wholeOf } from '../itemForm/itemDraft.ts';

/** Shows that an item is deleted, and restores it by putting it again unchanged. */
export function DeletedNotice({ project, item }: { project: string; item: Item }) {
  const { item: words, refusals } = useWords();
  const refusal = useRefusal(project);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const whole = await queryClient.fetchQuery({ ...wholeItemQuery(project, item.id), staleTime: 0 });
      await api.putProjectItem({ path: { id: project, item: item.id }, body: wholeOf(whole) });
      await refreshItem(project, item.id);
    },
  });
  if (!item.deleted) return null;
  return (
    <Notice tone="warn" title={words.isDeleted}>
      <p>{words.isDeletedAbout}</p>
      <Buttons>
        <Button isDisabled={refusal !== null} isPending={isPending} onPress={() => mutate()}>
          {words.restore}
        </Button>
      </Buttons>
      {refusal && <Hint>{refusals[refusal]}</Hint>}
      {error && <Problem error={error} />}
    </Notice>
  );
}
