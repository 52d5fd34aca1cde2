/** Tries recommendations and searches as any person: shows the answer and its reasons. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { AttuneError } from '../../../data/client.ts';
import { applyChange, missingOf, type LabSearch } from '../../../data/output/lab.ts';
import { previewQuery } from '../../../data/output/output.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { AbsentCard } from './AbsentCard.tsx';
import { AnswerCard } from './AnswerCard.tsx';
import { ApiRequest } from './ApiRequest.tsx';
import { Comparison } from './Comparison.tsx';
import { LabForm } from './LabForm.tsx';
import { TasteCard } from './TasteCard.tsx';
import { WhatIf } from './WhatIf.tsx';
import styles from './LabPage.module.css';

const PAGE = { from: '/shell/p/$project/lab' } as const;

export function LabPage() {
  const { lab } = useWords();
  const { project } = useParams(PAGE);
  const search = useSearch(PAGE);
  const navigate = useNavigate();
  const ask = (next: LabSearch): void =>
    void navigate({ to: '/p/$project/lab', params: { project }, search: next, resetScroll: false });
  const { change, absent, ...question } = search;
  const missing = missingOf(search);
  return (
    <Page title={lab.title}>
      <div className={styles.lab}>
        <Card title={lab.question}>
          <LabForm
            key={JSON.stringify(question)}
            project={project}
            search={search}
            onAsk={(next) => ask({ ...next, change, absent })}
          />
        </Card>
        <div className={styles.answers}>
          {missing === null ? (
            <Answers project={project} search={search} onChange={ask} />
          ) : (
            <Card title={lab.answer}>
              <Hint>{lab.needs[missing]}</Hint>
            </Card>
          )}
        </div>
      </div>
    </Page>
  );
}

interface Props {
  project: string;
  search: LabSearch;
  onChange: (search: LabSearch) => void;
}

function Answers({ project, search, onChange }: Props) {
  const { path, change, user, kind } = search;
  const asked = useQuery(previewQuery(project, search, true));
  const isUnknown = asked.error instanceof AttuneError && asked.error.status === 404;
  return (
    <>
      {change === undefined ? (
        <AnswerCard project={project} answer={asked} isUnknown={isUnknown} />
      ) : (
        <ChangedAnswers project={project} search={search} asked={asked} />
      )}
      {!isUnknown && (
        <WhatIf key={JSON.stringify([path, change])} project={project} search={search} onChange={onChange} />
      )}
      {!isUnknown && path !== 'search/suggest' && (
        <AbsentCard key={search.absent} project={project} search={search} onChange={onChange} />
      )}
      {user !== undefined && <TasteCard project={project} name={{ user, kind: kind ?? 'user_id' }} />}
      <ApiRequest search={search} />
    </>
  );
}

interface ChangedProps {
  project: string;
  search: LabSearch;
  asked: Parameters<typeof AnswerCard>[0]['answer'];
}

function ChangedAnswers({ project, search, asked }: ChangedProps) {
  const { change } = search;
  const other = useQuery(previewQuery(project, applyChange(search), change?.impersonal !== true));
  return <Comparison project={project} before={asked} after={other} />;
}
