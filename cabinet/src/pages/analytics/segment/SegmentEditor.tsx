import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { conditionsOf, faultOfDraft, SCOPES, type Draft } from '../../../data/report/conditions.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
import { refreshSegments } from '../../../data/report/savedReports.ts';
import { useMayChange } from '../../../data/account/rights.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Columns } from '../parts/Columns.tsx';
import { GroupEditor } from './GroupEditor.tsx';
import { SizeCard } from './SizeCard.tsx';

interface Props {
  site: string;
  fields: ReportFields;
  /** Today's date at the site. */
  today: string;
  /** Null creates a new one. */
  id: string | null;
  title: string;
  draft: Draft;
}

/** Edits a segment: its name, scope and conditions, beside the number of matches. */
export function SegmentEditor({ site, fields, today, id, title: firstTitle, draft: firstDraft }: Props) {
  const words = useWords();
  const { segments } = words;
  const mayChange = useMayChange();
  const [title, setTitle] = useState(firstTitle);
  const [draft, setDraft] = useState(firstDraft);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<Draft>): void => setDraft((former) => ({ ...former, ...change }));
  const { save, leave } = useSave(site, id);
  const fault = faultOfDraft(draft, fields.limits);
  const submit = (next: NextPage): void => {
    setTried(true);
    if (fault !== null || title.trim() === '') return;
    // Not called for a user who has opened another page meanwhile.
    save.mutate({ title: title.trim(), draft }, { onSuccess: (saved) => leave(saved, next) });
  };
  const titleFault = (): string | null => {
    if (isTried && title.trim() === '') return words.fieldErrors.codes['required'] ?? null;
    return faultOf(save.error, '', words) === null ? faultOf(save.error, 'title', words) : segments.full;
  };
  return (
    <Columns>
      <Card title={segments.root}>
        <Form onSubmit={() => submit('list')} error={save.error} fields={['', 'title']}>
          <Field
            label={segments.name}
            maxLength={limits.createSegment_title}
            value={title}
            onChange={setTitle}
            fault={titleFault()}
          />
          <SelectField
            label={segments.scope}
            value={draft.scope}
            options={SCOPES.map((value) => ({ value, text: segments.scopes[value] }))}
            onChange={(scope) => set({ scope })}
          />
          <GroupEditor
            site={site}
            fields={fields}
            root={draft.root}
            path={[]}
            isTried={isTried}
            onChange={(root) => set({ root })}
          />
          <Fault fault={fault} isTried={isTried} />
          <Buttons>
            <Button kind="primary" type="submit" isDisabled={!mayChange} isPending={save.isPending}>
              {segments.save}
            </Button>
            <Button isDisabled={!mayChange} isPending={save.isPending} onPress={() => submit('report')}>
              {segments.saveAndReport}
            </Button>
          </Buttons>
          {!mayChange && <Hint>{words.refusals.owner}</Hint>}
        </Form>
      </Card>
      <SizeCard site={site} today={today} conditions={fault === null ? conditionsOf(draft) : null} />
    </Columns>
  );
}

/** Explains what is wrong. Unfinished conditions are reported only after saving was attempted. */
function Fault({ fault, isTried }: { fault: ReturnType<typeof faultOfDraft>; isTried: boolean }) {
  const { segments } = useWords();
  if (fault === null) return null;
  if (!isTried && fault !== 'too_deep' && fault !== 'too_many') return null;
  return (
    <div role="alert">
      <Hint>{segments.faults[fault]}</Hint>
    </div>
  );
}

/** The page opened after saving. */
type NextPage = 'list' | 'report';

/** Returns a mutation that resolves to the id of the segment, and a function that opens the page after it. */
function useSave(site: string, id: string | null) {
  const navigate = useNavigate();
  const leave = (segment: string, next: NextPage) =>
    next === 'list'
      ? navigate({ to: '/s/$site/segments', params: { site } })
      : navigate({ to: '/s/$site/report', params: { site }, search: { segment } });
  const save = useMutation({
    mutationFn: async ({ title, draft }: { title: string; draft: Draft }) => {
      const body = { title, conditions: conditionsOf(draft) };
      const { data } =
        id === null
          ? await api.createSegment({ path: { id: site }, body })
          : await api.patchSegment({ path: { id: site, sid: id }, body });
      return data.id;
    },
    onSuccess: () => refreshSegments(site),
  });
  return { save, leave };
}
