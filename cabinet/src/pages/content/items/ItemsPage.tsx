/** The items of a project, the most recently changed first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { isFiltered, type ItemListSearch } from '../../../data/items/itemFilter.ts';
import { itemsQuery } from '../../../data/items/items.ts';
import { useRefusal } from '../../../data/account/refusal.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Command } from '../../../ui/dialogs/Command.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { LinkButton } from '../../../ui/buttons/LinkButton.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { ItemFilters } from './ItemFilters.tsx';
import { ItemGrid } from './ItemGrid.tsx';
import { ItemTable } from './ItemTable.tsx';
import { StoppedNotice } from './StoppedNotice.tsx';
import { ViewChoice } from './ViewChoice.tsx';
import styles from './ItemsPage.module.css';

const PAGE = { from: '/shell/p/$project/items' } as const;

export function ItemsPage() {
  const words = useWords();
  const { project } = useParams(PAGE);
  const search = useSearch(PAGE);
  const navigate = useNavigate();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } = useInfiniteQuery(
    itemsQuery(project, search),
  );
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const show = (change: ItemListSearch): void =>
    void navigate({ to: '/p/$project/items', params: { project }, search: { ...search, ...change }, replace: true });
  const clear = (): void =>
    void navigate({ to: '/p/$project/items', params: { project }, search: { view: search.view }, replace: true });
  const List = search.view === 'grid' ? ItemGrid : ItemTable;
  return (
    <Page
      title={words.items.title}
      actions={
        <>
          <ViewChoice search={search} onChange={show} />
          <AddItem project={project} />
        </>
      }
    >
      <ItemFilters search={search} onChange={show} />
      <StoppedNotice step={search.step} code={search.code} onClear={clear} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <p role="status">{words.table.loading}</p>}
      {items.length > 0 && <List project={project} items={items} />}
      {data && items.length === 0 && !hasNextPage && (
        <NoItems project={project} isFiltered={isFiltered(search)} onClear={clear} />
      )}
      {hasNextPage && (
        <div className={styles.more}>
          {items.length === 0 && <p>{words.items.more}</p>}
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {words.items.next}
          </Button>
        </div>
      )}
    </Page>
  );
}

/** Links to the form, or explains why it is unavailable. */
function AddItem({ project }: { project: string }) {
  const { items: words, refusals } = useWords();
  const refusal = useRefusal(project);
  if (refusal) return <Hint>{refusals[refusal]}</Hint>;
  return (
    <LinkButton kind="primary" to="/p/$project/add-item" params={{ project }}>
      <Plus aria-hidden size={16} />
      {words.add}
    </LinkButton>
  );
}

interface NoItemsProps {
  project: string;
  isFiltered: boolean;
  onClear: () => void;
}

function NoItems({ project, isFiltered: isSome, onClear }: NoItemsProps) {
  const { items } = useWords();
  if (isSome)
    return (
      <Empty title={items.nothingFound}>
        <Button onPress={onClear}>{items.clear}</Button>
      </Empty>
    );
  const command = [
    `curl -X PUT ${location.origin}/content/api/v1/items/hello \\`,
    `  -H "Authorization: Bearer $PROJECT_KEY" -H 'Content-Type: application/json' \\`,
    `  -d '{"type": "text", "title": "Hello", "body": "The tram came back to the depot."}'`,
  ].join('\n');
  return (
    <Empty title={items.empty}>
      <p>{items.emptyHint}</p>
      <Command text={command} />
      <Link to="/p/$project/imports" params={{ project }}>
        {items.emptyImport}
      </Link>
    </Empty>
  );
}
