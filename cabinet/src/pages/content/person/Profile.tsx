import type { cabinet } from '../../../data/client.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import type { Words } from '../../../words/en/index.ts';
import styles from './PersonPage.module.css';

type StoredProfile = cabinet.StoredProfile;
type Field = keyof Words['person']['fields'];

/** Shows the profile of a person, with the time of the last update of each field. */
export function Profile({ profile }: { profile: StoredProfile | null }) {
  const words = useWords();
  const { moment } = useFormat();
  const fields = Object.keys(words.person.fields) as Field[];
  const said = profile
    ? fields.flatMap((field) => {
        const text = textOf(field, profile, words);
        return text === null ? [] : [{ field, text, at: profile.fields_updated_at[field] }];
      })
    : [];
  const isSaid = said.some(({ at }) => at !== undefined);
  return (
    <Card title={words.person.profile}>
      {!isSaid && <Hint>{words.person.noProfile}</Hint>}
      {isSaid && (
        <dl className={styles.facts}>
          {said.map(({ field, text, at }) => (
            <div key={field} style={{ display: 'contents' }}>
              <dt>{words.person.fields[field]}</dt>
              <dd>
                {text}
                {at !== undefined && <Hint>{moment(at)}</Hint>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

/** Returns null for a field that was never set. */
function textOf(field: Field, profile: StoredProfile, { person }: Words): string | null {
  switch (field) {
    case 'gender':
      return profile.gender && person.genders[profile.gender];
    case 'birth_year':
      return profile.birth_year === null ? null : String(profile.birth_year);
    case 'personalization':
      return profile.personalization ? person.on : person.off;
    case 'attributes':
      return profile.attributes && JSON.stringify(profile.attributes);
    case 'city':
    case 'country':
      return profile[field];
    case 'interests':
    case 'excluded_interests':
    case 'followed_authors':
    case 'hidden_authors':
      return profile[field]?.join(', ') || null;
  }
}
