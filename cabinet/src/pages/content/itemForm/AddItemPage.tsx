/** Adds an item, and opens its page, where the analysis can be followed. */
import { useNavigate, useParams } from '@tanstack/react-router';
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
  const add = async (draft: ItemDraft): Promise<void> => {
    const id = draft.id.trim() || newId();
    const { data } = await api.listProjectItems({ path: { id: project }, query: { ids: [id] } });
    if (data.items.length > 0) throw new IdTakenError();
    const body = putOf(draft);
    if (body) await api.putProjectItem({ path: { id: project, item: id }, body });
    void queryClient.invalidateQueries({ queryKey: ['items', project] });
    await navigate({ to: '/p/$project/items/$item', params: { project, item: id } });
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
        onCancel={() => void navigate({ to: '/p/$project/items', params: { project } })}
      />
    </Page>
  );
}

/** A random part distinguishes ids created in the same millisecond. */
function newId(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `item-${Date.now().toString(36)}-${random.toString(36)}`;
}
