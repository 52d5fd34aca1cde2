/** Finds a person by an identifier, or in the latest events. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { limits } from '../../../data/apiLimits.ts';
import {
  latestEventsQuery,
  PERSON_KINDS,
  personOf,
  type PersonKind,
  type PersonName,
} from '../../../data/project/people.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { DataTable, RowTitle } from '../../../ui/tables/DataTable.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form, Row } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

const ANY = 'any';
const SHOWN = 20;

export function PeoplePage() {
  const { people } = useWords();
  const { project } = useParams({ from: '/shell/p/$project/users' });
  return (
    <Page title={people.title}>
      <Card title={people.find}>
        <Hint>{people.about}</Hint>
        <FindForm project={project} />
      </Card>
      <Recent project={project} />
    </Page>
  );
}

function FindForm({ project }: { project: string }) {
  const { people, person } = useWords();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [kind, setKind] = useState<PersonKind | typeof ANY>(ANY);
  const user = text.trim();
  const find = (): void => {
    if (user === '') return;
    const search = kind === ANY ? {} : { kind };
    void navigate({ to: '/p/$project/users/$user', params: { project, user }, search });
  };
  return (
    <Form onSubmit={find}>
      <Row>
        <Field
          label={people.search}
          type="search"
          maxLength={limits.getProjectUser_user_id}
          value={text}
          onChange={setText}
        />
        <SelectField
          label={people.kind}
          value={kind}
          options={[
            { value: ANY, text: people.anyKind },
            ...PERSON_KINDS.map((value) => ({ value, text: person.kinds[value] })),
          ]}
          onChange={setKind}
        />
      </Row>
      <Buttons>
        <Button kind="primary" type="submit" isDisabled={user === ''}>
          {people.find}
        </Button>
      </Buttons>
    </Form>
  );
}

interface RecentPerson {
  name: PersonName;
  at: string;
}

/** Lists the senders of the latest events. */
function Recent({ project }: { project: string }) {
  const { people, person, events, table } = useWords();
  const { moment } = useFormat();
  const { data, error, refetch } = useQuery(latestEventsQuery(project, undefined));
  const recent = new Map<string, RecentPerson>();
  for (const { user, received_at: at } of data?.items ?? []) {
    const name = personOf(user);
    const key = `${name?.kind} ${name?.user}`;
    if (name && !recent.has(key)) recent.set(key, { name, at });
  }
  return (
    <Card title={people.recent}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && recent.size === 0 && <Hint>{people.recentEmpty}</Hint>}
      {recent.size > 0 && (
        <DataTable
          label={people.recent}
          rows={[...recent.values()].slice(0, SHOWN)}
          idOf={({ name }) => `${name.kind} ${name.user}`}
          columns={[
            {
              key: 'person',
              title: events.columns.person,
              cell: ({ name: { user, kind } }) => (
                <RowTitle
                  title={
                    <Link to="/p/$project/users/$user" params={{ project, user }} search={{ kind }}>
                      {user}
                    </Link>
                  }
                />
              ),
            },
            { key: 'kind', title: people.kind, cell: ({ name }) => name.kind && person.kinds[name.kind] },
            { key: 'at', title: events.columns.received, cell: ({ at }) => moment(at) },
          ]}
        />
      )}
    </Card>
  );
}
