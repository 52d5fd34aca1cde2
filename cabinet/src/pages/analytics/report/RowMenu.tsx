import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import * as changes from '../../../data/report/changes.ts';
import { conditionsOfRow } from '../../../data/report/conditions.ts';
import { refusalOf } from '../../../data/report/invalidCombinations.ts';
import { segmentsQuery } from '../../../data/report/savedReports.ts';
import type { ReportState } from '../../../data/report/reportAddress.ts';
import { visitorsOfRow } from '../../../data/sites/visitorsOfRow.ts';
import type { ReportLabel } from '../../../data/sites/reports.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { ActionMenu } from '../../../ui/buttons/ActionMenu.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { refusalText } from '../parts/refusalText.ts';
import type { RowProps } from './ReportTable.tsx';
import { RowSegmentDialog } from './RowSegmentDialog.tsx';

interface Props extends RowProps {
  labels: readonly ReportLabel[];
  /** The row in words. */
  name: string;
}

/** Menu of a row: the report of this row alone, or a segment of its visits. */
export function RowMenu({ site, fields, text, loaded: { state }, onChange, labels, name }: Props) {
  const words = useWords();
  const { row } = words.report;
  const mayChange = useMayChange();
  const { data: segments = [] } = useQuery(segmentsQuery(site));
  const [isMaking, setMaking] = useState(false);
  const own = conditionsOfRow(state.by, labels, []);
  const unknown = own.length === 0 ? row.nothingKnown : null;
  const narrow: changes.Change = (from) => own.reduce((next, one) => changes.putFilter(one)(next), from);
  const refusal = refusalOf(fields, narrow(state));
  const current = state.segment === undefined ? state.conditions : conditionsOfSegment(segments, state);
  const navigate = useNavigate();
  const period = useSearch({ from: '/shell/s/$site/report' });
  const visitors = visitorsOfRow(conditionsOfRow(state.by, labels, state.where), state, period);
  // Without the segment of the report, the new one would match more than the row.
  const isUnread = state.segment !== undefined && current === undefined;
  const segmentRefusal = isUnread ? row.segmentUnread : isOfVisitors(current) ? row.visitorScope : null;
  return (
    <>
      <ActionMenu
        label={row.actions(name)}
        actions={[
          {
            text: row.only,
            refusal: unknown ?? (refusal && refusalText(refusal, words, text.title)),
            onAction: () => onChange(narrow, true),
          },
          {
            text: row.segment,
            refusal: unknown ?? segmentRefusal ?? (mayChange ? null : words.refusals.owner),
            onAction: () => setMaking(true),
          },
          {
            text: row.visitors,
            refusal: unknown ?? (visitors === null ? row.noVisitors : null),
            onAction: () => void navigate({ to: '/s/$site/visitors', params: { site }, search: visitors ?? {} }),
          },
        ]}
      />
      {isMaking && (
        <RowSegmentDialog
          site={site}
          fields={fields}
          name={name}
          filters={conditionsOfRow(state.by, labels, state.where)}
          within={current}
          onClose={() => setMaking(false)}
          onMade={(id) => {
            setMaking(false);
            onChange((from) => ({ ...changes.chooseSegment(id)(from), where: [] }), true);
          }}
        />
      )}
    </>
  );
}

function conditionsOfSegment(segments: readonly { id: string; conditions: object }[], { segment }: ReportState) {
  return segments.find(({ id }) => id === segment)?.conditions as ReportState['conditions'];
}

function isOfVisitors(conditions: ReportState['conditions']): boolean {
  return conditions !== undefined && 'scope' in conditions && conditions.scope === 'visitor';
}
