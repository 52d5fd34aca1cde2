/** Shows the data about a person that affects recommendations. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Bars } from '../../../charts/Bars.tsx';
import type { cabinet } from '../../../data/client.ts';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

type Taste = cabinet.UserTaste;

/** Number of entries shown of each list; the others matter less. */
const SHOWN = 10;

export function Taste({ project, taste }: { project: string; taste: Taste }) {
  const words = useWords().taste;
  const { number } = useFormat();
  const { items, interests, followed_authors: followed } = taste;
  const isEmpty = items.length + interests.length + followed.length === 0;
  return (
    <>
      {!taste.personalization && <Hint>{words.off}</Hint>}
      {taste.personalization && isEmpty && <Hint>{words.nothing}</Hint>}
      {items.length > 0 && (
        <Part title={words.items} about={words.itemsAbout}>
          <Bars
            title={words.items}
            bars={items.slice(0, SHOWN).map(({ item, title, weight }) => ({
              key: item,
              value: weight,
              label: <ItemLink project={project} item={item} title={title} />,
            }))}
            format={(weight) => number(Number(weight.toFixed(2)))}
          />
          <MoreCount count={items.length - SHOWN} />
        </Part>
      )}
      {interests.length > 0 && <NameList title={words.interests} names={interests} />}
      {followed.length > 0 && <NameList title={words.followed} names={followed} />}
      <Exclusions project={project} taste={taste} />
    </>
  );
}

function Exclusions({ project, taste }: { project: string; taste: Taste }) {
  const words = useWords().taste;
  const { hidden_authors: authors, excluded_interests: topics, hidden_items: hidden, suppressed_items } = taste;
  if (authors.length + topics.length + hidden.length + suppressed_items.length === 0) return null;
  return (
    <>
      <h3>{words.excluded}</h3>
      {authors.length > 0 && <NameList title={words.hiddenAuthors} names={authors} />}
      {topics.length > 0 && <NameList title={words.excludedInterests} names={topics} />}
      {hidden.length > 0 && <Items title={words.hiddenItems} project={project} items={hidden} />}
      {suppressed_items.length > 0 && <Items title={words.suppressed} project={project} items={suppressed_items} />}
    </>
  );
}

function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <div>
      <strong>{title}</strong>
      {about !== undefined && <Hint>{about}</Hint>}
      {children}
    </div>
  );
}

function NameList({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <Part title={title}>
      <p>{names.slice(0, SHOWN).join(', ')}</p>
      <MoreCount count={names.length - SHOWN} />
    </Part>
  );
}

function Items({ title, project, items }: { title: string; project: string; items: readonly cabinet.NamedItem[] }) {
  return (
    <Part title={title}>
      <ul>
        {items.slice(0, SHOWN).map(({ item, title: name }) => (
          <li key={item}>
            <ItemLink project={project} item={item} title={name} />
          </li>
        ))}
      </ul>
      <MoreCount count={items.length - SHOWN} />
    </Part>
  );
}

function MoreCount({ count }: { count: number }) {
  const { number } = useFormat();
  const words = useWords().taste;
  return count > 0 ? <Hint>{words.more(number(count))}</Hint> : null;
}

export function ItemLink({ project, item, title }: { project: string; item: string; title: string | null }) {
  return (
    <Link to="/p/$project/items/$item" params={{ project, item }}>
      {title ?? item}
    </Link>
  );
}
