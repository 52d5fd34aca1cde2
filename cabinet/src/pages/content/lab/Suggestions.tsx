import type { cabinet } from '../../../data/client.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './LabPage.module.css';
import { HighlightedText } from './itemParts/HighlightedText.tsx';

export function Suggestions({ suggestions }: { suggestions: readonly cabinet.Suggestion[] }) {
  const { lab } = useWords();
  if (suggestions.length === 0) return <Empty title={lab.noSuggestions} />;
  return (
    <ol className={styles.items}>
      {suggestions.map(({ text, kind, highlights }, index) => (
        <li key={`${kind} ${text}`} className={styles.item}>
          <span className={styles.place}>{index + 1}</span>
          <span>
            <HighlightedText text={text} ranges={highlights} />
          </span>
          <Badge tone="quiet">{lab.suggestionKinds[kind]}</Badge>
        </li>
      ))}
    </ol>
  );
}
