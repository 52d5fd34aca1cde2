import type { cabinet } from '../../../../data/client.ts';
import type { Item } from '../../../../data/items/items.ts';
import { Badge, type Tone } from '../../../../ui/messages/Badge.tsx';
import { Card } from '../../../../ui/layout/Card.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { clock } from '../../../../words/format.ts';
import { useWords } from '../../../../words/preferences.tsx';
import { pendingText } from '../analysis/pendingText.ts';
import styles from './ModerationCard.module.css';

export type Evidence = cabinet.ModerationEvidence;
type Level = NonNullable<Evidence['level']> | 'unknown';

const TONES: Record<Level, Tone> = { none: 'good', low: 'quiet', medium: 'warn', high: 'bad', unknown: 'quiet' };

interface Props {
  item: Item;
  /** Opens the place of a piece of evidence. */
  onOpen: (evidence: Evidence) => void;
}

/** Shows the verdict on the item and its evidence. A verdict without evidence counts for nothing. */
export function ModerationCard({ item, onOpen }: Props) {
  const { item: words } = useWords();
  const evidence = item.evidence ?? [];
  const told = item.moderation?.level ?? null;
  const isProven = told === 'none' || evidence.length > 0;
  const level = told !== null && isProven ? told : 'unknown';
  return (
    <Card title={words.moderation} aside={<Badge tone={TONES[level]}>{words.levels[level]}</Badge>}>
      {level === 'none' && <p className={styles.about}>{words.nothingFound}</p>}
      {level === 'unknown' && (
        <p className={styles.about}>
          {told === null
            ? (pendingText(item.processing.summary, words) ?? words.notJudged)
            : words.noEvidence(words.levels[told])}
        </p>
      )}
      {evidence.length > 0 && (
        <>
          <ul className={styles.list} aria-label={words.evidence}>
            {evidence.map((one, at) => (
              <li key={at}>
                <EvidenceItem evidence={one} onOpen={onOpen} />
              </li>
            ))}
          </ul>
          {evidence.some(({ place }) => place !== null) && <Hint>{words.evidenceAbout}</Hint>}
        </>
      )}
    </Card>
  );
}

/** Shows a piece of evidence; a button if its place is known. */
function EvidenceItem({ evidence, onOpen }: { evidence: Evidence; onOpen: (evidence: Evidence) => void }) {
  const { place } = evidence;
  if (place === null)
    return (
      <div className={styles.piece}>
        <EvidenceDetails evidence={evidence} />
      </div>
    );
  return (
    <button type="button" className={styles.piece} onClick={() => onOpen(evidence)}>
      <EvidenceDetails evidence={evidence} />
    </button>
  );
}

function EvidenceDetails({ evidence: { category, level, score, count, excerpt, place } }: { evidence: Evidence }) {
  const { item: words } = useWords();
  const details = [
    level === null ? null : words.levels[level],
    score === null ? null : `${Math.round(score * 100)} %`,
    count === null || count < 2 ? null : words.times(count),
  ].filter((one) => one !== null);
  return (
    <>
      <span className={styles.head}>
        <strong>{words.categories[category] ?? category}</strong>
        <span className={styles.soft}>{details.join(' · ')}</span>
      </span>
      {excerpt !== null && <q className={styles.excerpt}>{excerpt}</q>}
      <span className={styles.place}>
        {place === null
          ? words.placeUnknown
          : [words.parts[place.part], ...(place.ts === null ? [] : [clock(place.ts)])].join(' · ')}
      </span>
    </>
  );
}
