/** Adds an item, and opens its page, where the analysis can be followed. */
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { useRefusal } from '../../../data/account/refusal.ts';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { BLANK_ITEM, putOf, type ItemDraft } from './itemDraft.ts';
import { IdTakenError, ItemForm } from './ItemForm.tsx';

export function AddItemPage() {
  const { item: words, itemForm, refusals } = useWords();
  const { project } = useParams({ from: '/shell/p/$project/add-item' });
  const navigate = useNavigate();
  const refusal = useRefusal(project);
  // One id for every attempt: after an answer that was lost, the next one replaces the item instead of adding another.
  const [ownId] = useState(newId);
  const idOf = (draft: ItemDraft): string => draft.id.trim() || ownId;
  const add = async (draft: ItemDraft): Promise<void> => {
    const typed = draft.id.trim();
    if (typed !== '' && (await isTaken(project, typed))) throw new IdTakenError();
    const body = putOf(draft);
    if (body) await api.putProjectItem({ path: { id: project, item: idOf(draft) }, body });
    void queryClient.invalidateQueries({ queryKey: ['items', project] });
  };
  const back = (
    <BackLink to="/p/$project/items" params={{ project }}>
      {words.back}
    </BackLink>
  );
  return (
    <Page title={itemForm.addTitle} above={back}>
      <ItemForm
        start={BLANK_ITEM}
        isNew
        action={itemForm.add}
        refusal={refusal && refusals[refusal]}
        onSubmit={add}
        onSaved={(draft) => void navigate({ to: '/p/$project/items/$item', params: { project, item: idOf(draft) } })}
        onCancel={() => void navigate({ to: '/p/$project/items', params: { project } })}
      />
    </Page>
  );
}

async function isTaken(project: string, id: string): Promise<boolean> {
  return (await api.listProjectItems({ path: { id: project }, query: { ids: [id] } })).data.items.length > 0;
}

/** A random part distinguishes ids created in the same millisecond. */
function newId(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `item-${Date.now().toString(36)}-${random.toString(36)}`;
}
