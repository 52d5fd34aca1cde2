import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import type { Condition } from '../../../data/report/conditions.ts';
import { cutTitle } from '../../../data/report/cutTitle.ts';
import type { ReportFields } from '../../../data/report/reportFields.ts';
import { refreshSegments } from '../../../data/report/savedReports.ts';
import type { Conditions, Filter } from '../../../data/report/reportAddress.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { useReportText } from '../parts/useReportText.ts';

interface Props {
  site: string;
  fields: ReportFields;
  /** The suggested name. */
  name: string;
  filters: readonly Filter[];
  /** Conditions that the report already has. */
  within: Conditions | undefined;
  onClose: () => void;
  onMade: (segment: string) => void;
}

/** Saves the conditions of a row as a segment. */
export function RowSegmentDialog({ site, fields, name, filters, within, onClose, onMade }: Props) {
  const words = useWords();
  const { segments } = words;
  const { filter } = useReportText(fields);
  const [title, setTitle] = useState(() => cutTitle(name));
  const make = useMutation({
    mutationFn: async () => {
      const conditions = { all: [...(within === undefined ? [] : [within as Condition]), ...filters] };
      return (await api.createSegment({ path: { id: site }, body: { title: title.trim(), conditions } })).data;
    },
    onSuccess: async ({ id }) => {
      await refreshSegments(site);
      onMade(id);
    },
  });
  const isFull = faultOf(make.error, '', words) !== null;
  const empty = title.trim() === '' ? (words.fieldErrors.codes['required'] ?? null) : null;
  return (
    <Modal title={segments.fromRow} isOpen onClose={onClose}>
      <Form onSubmit={() => empty === null && make.mutate()} error={make.error} fields={['', 'title']}>
        <Field
          label={segments.name}
          maxLength={limits.createSegment_title}
          autoFocus
          value={title}
          onChange={setTitle}
          fault={empty ?? (isFull ? segments.full : faultOf(make.error, 'title', words))}
        />
        <p>{segments.fromRowAbout}</p>
        <ul>
          {within !== undefined && <li>{words.report.ownConditions}</li>}
          {filters.map((one, index) => (
            <li key={`${index} ${one.dimension}`}>{filter(one)}</li>
          ))}
        </ul>
        <Buttons>
          <Button kind="primary" type="submit" isPending={make.isPending}>
            {segments.save}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
