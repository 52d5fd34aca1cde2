import { useQuery } from '@tanstack/react-query';
import * as changes from '../../../data/report/changes.ts';
import { segmentsQuery } from '../../../data/report/savedReports.ts';
import { ATTRIBUTIONS, ROBOTS } from '../../../data/report/reportAddress.ts';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Row } from '../../../ui/fields/Form.tsx';
import { useWords } from '../../../words/preferences.tsx';
import type { BuilderProps } from './BuilderCard.tsx';

/** Chooses the visits of the report, and the attribution of their sources. */
export function Settings({ site, state, onChange }: Omit<BuilderProps, 'fields'>) {
  const { report } = useWords();
  const { attribution = 'last_significant', robots = 'exclude' } = state;
  return (
    <Row>
      <SegmentChoice site={site} state={state} onChange={onChange} />
      <SelectField
        label={report.attribution}
        value={attribution}
        options={ATTRIBUTIONS.map((value) => ({ value, text: report.attributions[value] }))}
        onChange={(value) => onChange(changes.chooseAttribution(value))}
      />
      <SelectField
        label={report.robots}
        value={robots}
        options={ROBOTS.map((value) => ({ value, text: report.robotsNames[value] }))}
        onChange={(value) => onChange(changes.chooseRobots(value))}
      />
    </Row>
  );
}

const NONE = 'none';
const OWN = 'own';

function SegmentChoice({ site, state, onChange }: Omit<BuilderProps, 'fields'>) {
  const { report } = useWords();
  const { data: segments = [], isSuccess } = useQuery(segmentsQuery(site));
  const { segment, conditions } = state;
  const isGone = isSuccess && segment !== undefined && !segments.some(({ id }) => id === segment);
  const value = segment ?? (conditions === undefined ? NONE : OWN);
  const options = [
    { value: NONE, text: report.noSegment },
    ...(conditions !== undefined && segment === undefined ? [{ value: OWN, text: report.ownConditions }] : []),
    ...segments.map(({ id, title }) => ({ value: id, text: title })),
    ...(isGone ? [{ value: segment, text: report.segmentGone }] : []),
  ];
  return (
    <SelectField
      label={report.segment}
      value={value}
      options={options}
      onChange={(chosen) => {
        if (chosen !== OWN) onChange(changes.chooseSegment(chosen === NONE ? null : chosen));
      }}
    />
  );
}
