import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../data/client.ts';
import { limits } from '../../../../data/apiLimits.ts';
import { faultOf } from '../../../../data/rejectedFields.ts';
import type { SavedContent, SavedReport } from '../../../../data/report/savedReportAddress.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../../ui/buttons/Buttons.tsx';
import { Field } from '../../../../ui/fields/Field.tsx';
import { Form } from '../../../../ui/fields/Form.tsx';
import { Hint } from '../../../../ui/messages/Hint.tsx';
import { Modal } from '../../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../../words/preferences.tsx';

interface Props {
  site: string;
  content: SavedContent;
  onClose: () => void;
  onSaved: (saved: SavedReport) => void;
}

/** Asks for the name of a report and saves it. */
export function SaveDialog({ site, content, onClose, onSaved }: Props) {
  const words = useWords();
  const { report } = words;
  const [title, setTitle] = useState('');
  const [isTried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: async () =>
      (await api.createSavedReport({ path: { id: site }, body: { title: title.trim(), ...content } })).data,
    onSuccess: onSaved,
  });
  const isEmpty = title.trim() === '';
  const submit = (): void => {
    setTried(true);
    if (!isEmpty) save.mutate();
  };
  const fault = (): string | null => {
    if (isTried && isEmpty) return words.fieldErrors.codes['required'] ?? null;
    return faultOf(save.error, '', words) === null ? faultOf(save.error, 'title', words) : report.full;
  };
  return (
    <Modal title={report.save} isOpen onClose={onClose}>
      <Form onSubmit={submit} error={save.error} fields={['', 'title']}>
        <Field
          label={report.name}
          maxLength={limits.createSavedReport_title}
          autoFocus
          value={title}
          onChange={setTitle}
          fault={fault()}
        />
        <Hint>{content.last_days === null ? report.keepsDates : report.keepsDays(content.last_days)}</Hint>
        <Buttons>
          <Button kind="primary" type="submit" isPending={save.isPending}>
            {report.save}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
