import type { Person } from '../../../data/project/people.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import styles from './PersonPage.module.css';

/** Lists the identifiers of a person, the main one first. */
export function Identifiers({ identifiers }: { identifiers: Person['identifiers'] }) {
  const { person } = useWords();
  const { moment } = useFormat();
  const isDevice = !identifiers.some(({ kind }) => kind === 'user_id');
  return (
    <Card title={person.identifiers}>
      <dl className={styles.facts}>
        {identifiers.map(({ kind, id, since }) => (
          <div key={`${kind} ${id}`} style={{ display: 'contents' }}>
            <dt>{person.kinds[kind]}</dt>
            <dd>
              <code>{id}</code>
              <Hint>{person.since(moment(since))}</Hint>
            </dd>
          </div>
        ))}
      </dl>
      {isDevice && <Hint>{person.ofDevice}</Hint>}
    </Card>
  );
}
