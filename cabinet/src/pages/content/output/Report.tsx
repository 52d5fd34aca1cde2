import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AttuneError } from '../../../data/client.ts';
import { outputReportQuery, surfacesQuery } from '../../../data/output/output.ts';
import { DEFAULT_GROUPS, GROUPS, MEASURES, REPORT_DAYS, type OutputSearch } from '../../../data/output/outputSearch.ts';
import { plusDays } from '../../../data/period.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { CheckList } from '../../../ui/choices/CheckList.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { Row } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { DayChart } from './DayChart.tsx';
import { Experiment } from './Experiment.tsx';
import { ReportTable } from './ReportTable.tsx';

interface Props {
  project: string;
  search: OutputSearch;
  onChange: (search: OutputSearch) => void;
}

const ANY = '';

export function Report({ project, search, onChange }: Props) {
  const { output, table } = useWords();
  const { days = '7', by = [...DEFAULT_GROUPS], surface, measure = 'requests' } = search;
  // The service counts days in UTC.
  const until = new Date().toISOString().slice(0, 10);
  const wanted = { from: plusDays(until, 1 - Number(days)), until, surface };
  const { data, error, refetch } = useQuery(outputReportQuery(project, { ...wanted, group: by }));
  const isTooMuch = error instanceof AttuneError && error.status === 503;
  return (
    <Card title={output.report}>
      <ReportFields project={project} search={search} onChange={onChange} />
      <Hint>{output.reportAbout}</Hint>
      {isTooMuch && <Notice tone="warn">{output.tooMuch}</Notice>}
      {error && !isTooMuch && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {data && data.rows.length === 0 && (
        <Empty title={output.reportEmpty}>
          <p>{output.reportEmptyHint}</p>
          <Link to="/p/$project/lab" params={{ project }}>
            {output.openLab}
          </Link>
        </Empty>
      )}
      {data && data.rows.length > 0 && (
        <>
          <DayChart project={project} wanted={wanted} measure={measure} />
          {data.warnings
            .filter(({ code }) => code === 'truncated')
            .map(({ code }) => (
              <Notice key={code} tone="warn">
                {output.warnings[code]}
              </Notice>
            ))}
          <ReportTable report={data} />
          {data.experiments.map((experiment) => (
            <Experiment key={experiment.id} experiment={experiment} warnings={data.warnings} />
          ))}
        </>
      )}
    </Card>
  );
}

function ReportFields({ project, search, onChange }: Props) {
  const { output } = useWords();
  const { data: surfaces = [] } = useQuery(surfacesQuery(project));
  const { days = '7', by = [...DEFAULT_GROUPS], surface = ANY, measure = 'requests' } = search;
  const names = new Set([...surfaces.map(({ name }) => name), ...(surface === ANY ? [] : [surface])]);
  return (
    <>
      <Row>
        <SelectField
          label={output.days}
          value={days}
          options={REPORT_DAYS.map((value) => ({ value, text: output.daysChoices[value] }))}
          onChange={(next) => onChange({ ...search, days: next })}
        />
        <SelectField
          label={output.surface}
          value={surface}
          options={[{ value: ANY, text: output.anySurface }, ...[...names].map((value) => ({ value, text: value }))]}
          onChange={(next) => onChange({ ...search, surface: next === ANY ? undefined : next })}
        />
        <SelectField
          label={output.measure}
          value={measure}
          options={MEASURES.map((value) => ({ value, text: output.measures[value] }))}
          onChange={(next) => onChange({ ...search, measure: next })}
        />
      </Row>
      <CheckList
        label={output.by}
        value={by}
        options={GROUPS.map((value) => ({ value, text: output.groups[value] }))}
        onChange={(chosen) => {
          const next = GROUPS.filter((group) => chosen.includes(group));
          onChange({ ...search, by: next.length > 0 ? next : undefined });
        }}
      />
    </>
  );
}
