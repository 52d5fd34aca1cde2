/** One person: identifiers, profile, activity, and their effect on recommendations. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { AttuneError } from '../../../data/client.ts';
import { personQuery, type Person } from '../../../data/project/people.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Activity } from './Activity.tsx';
import { DeletePerson } from './DeletePerson.tsx';
import { History } from './History.tsx';
import { Identifiers } from './Identifiers.tsx';
import styles from './PersonPage.module.css';
import { Profile } from './Profile.tsx';
import { Taste } from './Taste.tsx';

const PAGE = { from: '/shell/p/$project/users/$user' } as const;

export function PersonPage() {
  const { person, table } = useWords();
  const { project, user } = useParams(PAGE);
  const { kind } = useSearch(PAGE);
  const { data, error, refetch } = useQuery(personQuery(project, { user, kind }));
  const isUnknown = error instanceof AttuneError && error.status === 404;
  const [main] = data?.identifiers ?? [];
  return (
    <Page
      title={user}
      above={
        <Link to="/p/$project/users" params={{ project }}>
          {person.back}
        </Link>
      }
      actions={
        main &&
        !isUnknown && (
          <>
            <Link to="/p/$project/lab" params={{ project }} search={{ user: main.id, kind: main.kind }}>
              {person.inLab}
            </Link>
            <DeletePerson project={project} name={{ user: main.id, kind: main.kind }} />
          </>
        )
      }
    >
      {isUnknown && (
        <Empty title={person.unknown}>
          <p>{person.unknownHint}</p>
        </Empty>
      )}
      {error && !isUnknown && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && !isUnknown && <Known project={project} person={data} />}
    </Page>
  );
}

function Known({ project, person }: { project: string; person: Person }) {
  const words = useWords().person;
  const [main] = person.identifiers;
  return (
    <>
      <div className={styles.cards}>
        <div className={styles.column}>
          <Identifiers identifiers={person.identifiers} />
          <Profile profile={person.profile} />
          <Activity project={project} activity={person.activity} />
        </div>
        <Card title={words.taste}>
          <Taste project={project} taste={person.taste} />
        </Card>
      </div>
      {main && <History project={project} person={{ user: main.id, kind: main.kind }} />}
    </>
  );
}
