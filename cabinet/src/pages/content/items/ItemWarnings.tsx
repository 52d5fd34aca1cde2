import type { ListedItem } from '../../../data/items/items.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Shows warnings about an item before it is shown to people; nothing if there are none. */
export function ItemWarnings({ item }: { item: ListedItem }) {
  const { items, item: words } = useWords();
  const { moderation_level: level, age_rating: age } = item;
  return (
    <>
      {item.deleted && <Badge tone="bad">{items.deleted}</Badge>}
      {!item.available && !item.deleted && <Badge tone="quiet">{items.unavailable}</Badge>}
      {(level === 'medium' || level === 'high') && (
        <Badge tone={level === 'high' ? 'bad' : 'warn'}>{items.moderated(words.levels[level])}</Badge>
      )}
      {age !== null && age !== '0+' && <Badge tone="quiet">{age}</Badge>}
    </>
  );
}
