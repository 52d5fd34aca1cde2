import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AttuneError } from '../../../data/client.ts';
import { personQuery, type PersonName } from '../../../data/project/people.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Taste } from '../person/Taste.tsx';

/** Shows the data about a person that affects the answers. */
export function TasteCard({ project, name }: { project: string; name: PersonName }) {
  const { lab, table } = useWords();
  const { data, error, refetch } = useQuery(personQuery(project, name));
  const isUnknown = error instanceof AttuneError && error.status === 404;
  const { user, kind } = name;
  return (
    <Card
      title={lab.taste}
      aside={
        data && (
          <Link to="/p/$project/users/$user" params={{ project, user }} search={{ kind }}>
            {lab.openPerson}
          </Link>
        )
      }
    >
      {isUnknown && <Hint>{lab.unknownPerson}</Hint>}
      {error && !isUnknown && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && !isUnknown && <Taste project={project} taste={data.taste} />}
    </Card>
  );
}
