import { useState } from 'react';
import { dimensionOptions, type ReportFields } from '../../../../data/report/reportFields.ts';
import type { Filter } from '../../../../data/report/reportAddress.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../../ui/buttons/Buttons.tsx';
import { Form } from '../../../../ui/fields/Form.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { Modal } from '../../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { FieldList } from './FieldList.tsx';
import { faultOfFilter, FilterFields, trimmedFilter } from './FilterFields.tsx';
import { ParamKeyForm } from './ParamKeyForm.tsx';
import { useReportText } from '../useReportText.ts';

interface Props {
  site: string;
  fields: ReportFields;
  /** The filter to edit; null asks for a dimension first. */
  filter: Filter | null;
  /** Explains what the condition applies to. */
  about?: string;
  /** Returns why a dimension cannot be filtered; null if it can. */
  refusalOf: (dimension: string) => string | null;
  onApply: (filter: Filter) => void;
  onClose: () => void;
}

/** Asks for a condition on a dimension. */
export function FilterDialog({ site, fields, filter, about, refusalOf, onApply, onClose }: Props) {
  const words = useWords();
  const { report, dialogs } = words;
  const { title } = useReportText(fields);
  const [draft, setDraft] = useState(filter);
  const [isTried, setTried] = useState(false);
  const start = (dimension: string): void => setDraft({ dimension, op: 'eq', values: [] });
  if (draft === null)
    return (
      <Modal title={report.filter.dimension} isOpen onClose={onClose}>
        <FieldList
          fields={fields}
          options={dimensionOptions(fields)}
          chosen={null}
          refusalOf={refusalOf}
          onToggle={start}
        />
        <ParamKeyForm fields={fields} onAdd={start} />
      </Modal>
    );
  const submit = (): void => {
    setTried(true);
    if (faultOfFilter(draft, fields, words) === null) onApply(trimmedFilter(draft));
  };
  return (
    <Modal title={`${report.filter.title}: ${title(draft.dimension)}`} isOpen onClose={onClose}>
      <Form onSubmit={submit}>
        {about !== undefined && <Hint>{about}</Hint>}
        <FilterFields site={site} fields={fields} filter={draft} onChange={setDraft} isTried={isTried} />
        <Buttons>
          <Button kind="primary" type="submit">
            {report.filter.apply}
          </Button>
          <Button onPress={onClose}>{dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
