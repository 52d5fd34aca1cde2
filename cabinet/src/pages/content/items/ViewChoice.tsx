import { LayoutGrid, Rows3 } from 'lucide-react';
import type { ItemListSearch } from '../../../data/items/itemFilter.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './ItemsPage.module.css';

interface Props {
  search: ItemListSearch;
  onChange: (change: ItemListSearch) => void;
}

/** Switches between a table and pictures. */
export function ViewChoice({ search, onChange }: Props) {
  const { items } = useWords();
  return (
    <div className={styles.views} role="group" aria-label={items.view}>
      <Button
        kind="quiet"
        aria-label={items.table}
        aria-pressed={search.view === undefined}
        onPress={() => onChange({ view: undefined })}
      >
        <Rows3 aria-hidden size={18} />
      </Button>
      <Button
        kind="quiet"
        aria-label={items.grid}
        aria-pressed={search.view === 'grid'}
        onPress={() => onChange({ view: 'grid' })}
      >
        <LayoutGrid aria-hidden size={18} />
      </Button>
    </div>
  );
}
