import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { conditionsOf, type SiteFilter } from '../../../data/sites/siteFilter.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './OverviewPage.module.css';
import { useCodeText } from './useCodeText.ts';

/** Shows the filter of the page; a click removes a condition. */
export function FilterChips({ filter }: { filter: SiteFilter }) {
  const { overview, dimensions } = useWords();
  const textOf = useCodeText();
  const conditions = conditionsOf(filter);
  if (conditions.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={overview.filters}>
      {conditions.map(({ dimension, value }) => (
        <li key={dimension}>
          <Link
            to="."
            search={(search) => ({ ...search, [dimension]: undefined })}
            resetScroll={false}
            className={styles.chip}
            aria-label={overview.without(dimensions[dimension], textOf(dimension, value))}
          >
            {dimensions[dimension]}: <strong>{textOf(dimension, value)}</strong>
            <X aria-hidden size={14} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
