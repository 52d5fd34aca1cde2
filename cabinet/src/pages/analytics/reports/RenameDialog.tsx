import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import type { SavedReport } from '../../../data/report/savedReportAddress.ts';
import { refreshSavedReports } from '../../../data/report/savedReports.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Renames a saved report. */
export function RenameDialog({ site, saved, onClose }: { site: string; saved: SavedReport; onClose: () => void }) {
  const words = useWords();
  const { report, reports } = words;
  const [title, setTitle] = useState(saved.title);
  const rename = useMutation({
    mutationFn: () => api.patchSavedReport({ path: { id: site, report: saved.id }, body: { title: title.trim() } }),
    onSuccess: async () => {
      await refreshSavedReports(site);
      onClose();
    },
  });
  const empty = title.trim() === '' ? (words.fieldErrors.codes['required'] ?? null) : null;
  return (
    <Modal title={reports.rename} isOpen onClose={onClose}>
      <Form onSubmit={() => empty === null && rename.mutate()} error={rename.error} fields={['title']}>
        <Field
          label={report.name}
          maxLength={limits.patchSavedReport_title}
          autoFocus
          value={title}
          onChange={setTitle}
          fault={empty ?? faultOf(rename.error, 'title', words)}
        />
        <Buttons>
          <Button kind="primary" type="submit" isPending={rename.isPending}>
            {report.save}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
