/** Edits an item. Outdated analysis steps are then run again. */
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { useNewest } from '../../../data/account/newest.ts';
import { refreshItem, wholeItemQuery, type Item } from '../../../data/items/items.ts';
import { useRefusal } from '../../../data/account/refusal.ts';
import { BackLink } from '../../../ui/buttons/BackLink.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { changeOf, draftOf, type ItemDraft } from './itemDraft.ts';
import { ItemForm } from './ItemForm.tsx';

export function EditItemPage() {
  const words = useWords();
  const { project, item: id } = useParams({ from: '/shell/p/$project/items/$item/edit' });
  const { data: item, error, refetch } = useNewest(wholeItemQuery(project, id));
  const back = (
    <BackLink to="/p/$project/items/$item" params={{ project, item: id }}>
      {item?.title ?? id}
    </BackLink>
  );
  return (
    <Page title={words.itemForm.editTitle} above={back}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!item && !error && <p role="status">{words.table.loading}</p>}
      {item && <Editing key={id} project={project} item={item} />}
    </Page>
  );
}

function Editing({ project, item: newest }: { project: string; item: Item }) {
  const { itemForm, refusals } = useWords();
  // Changes are relative to the initial values of the form, whatever arrives meanwhile.
  const [item] = useState(newest);
  const [start] = useState(() => draftOf(item));
  const navigate = useNavigate();
  const refusal = useRefusal(project);
  const leave = () => navigate({ to: '/p/$project/items/$item', params: { project, item: item.id } });
  const save = async (draft: ItemDraft): Promise<void> => {
    const body = changeOf(item, draft);
    if (body) await api.patchProjectItem({ path: { id: project, item: item.id }, body });
    await refreshItem(project, item.id);
  };
  return (
    <>
      {!refusal && <Hint>{itemForm.editAbout}</Hint>}
      <ItemForm
        start={start}
        isNew={false}
        action={itemForm.save}
        refusal={refusal && refusals[refusal]}
        onSubmit={save}
        onSaved={() => void leave()}
        onCancel={() => void leave()}
      />
    </>
  );
}
