import type { Item } from '../../../../data/items/items.ts';
import { AudienceCard } from './AudienceCard.tsx';
import { SimilarCard } from './SimilarCard.tsx';

/** Shows user activity with the item, and the recommendations beside it. */
export function AudienceAndSimilar({ project, item }: { project: string; item: Item }) {
  return (
    <>
      <AudienceCard project={project} item={item.id} />
      <SimilarCard project={project} item={item} />
    </>
  );
}
