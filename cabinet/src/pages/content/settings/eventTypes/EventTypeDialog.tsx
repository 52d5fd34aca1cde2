import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FLAGS, titleOfType } from '../../../../data/project/eventTypes.ts';
import { limits } from '../../../../data/apiLimits.ts';
import { faultOf } from '../../../../data/rejectedFields.ts';
import { saveEventType, type EventType } from '../../../../data/project/projectSettings.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../../ui/buttons/Buttons.tsx';
import { Field } from '../../../../ui/fields/Field.tsx';
import { Form } from '../../../../ui/fields/Form.tsx';
import { Modal } from '../../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { draftOf, NEW, putOf, wrongFieldsOf, type Draft } from './eventTypeDraft.ts';
import { FlagFields, TimeFields, ValueFields } from './EventTypeFields.tsx';

const FIELDS = [
  'title',
  'mode',
  'weight',
  'value_kind',
  'value_map',
  'dedup_window_sec',
  'suppress_similar_days',
  ...FLAGS,
];

interface Props {
  project: string;
  /** Null creates a new one. */
  type: EventType | null;
  /** All of the project's types. */
  known: readonly EventType[];
  onClose: () => void;
}

export function EventTypeDialog({ project, type, known, onClose }: Props) {
  const words = useWords();
  const { types, ...settings } = words.settings;
  // Changes are relative to the initial values of the form, whatever arrives meanwhile.
  const [opened] = useState(() => type && draftOf(type));
  const [draft, setDraft] = useState<Draft>(opened ?? NEW);
  const [isTried, setTried] = useState(false);
  const put = useMutation({
    mutationFn: () => saveEventType(project, draft.code, opened && putOf(opened), putOf(draft)),
    onSuccess: (isSaved) => isSaved && onClose(),
  });
  const set = (change: Partial<Draft>): void => setDraft((former) => ({ ...former, ...change }));
  const wrong = wrongFieldsOf(draft);
  // Saving would replace the type that has this code.
  const isTaken = type === null && known.some(({ code }) => code === draft.code);
  const submit = (): void => {
    setTried(true);
    if (wrong.size === 0 && !isTaken) put.mutate();
  };
  const fault = (field: keyof Draft, sent: string, sentence: string): string | null =>
    isTried && wrong.has(field) ? sentence : faultOf(put.error, sent, words);
  const fields = { draft, fault, onChange: set };
  return (
    <Modal title={type === null ? types.make : types.changeNamed(titleOfType(type, words))} isOpen onClose={onClose}>
      <Form onSubmit={submit} error={put.error} fields={FIELDS}>
        {type === null && (
          <Field
            label={types.code}
            hint={types.codeHint}
            autoFocus
            value={draft.code}
            onChange={(code) => set({ code })}
            fault={isTried && wrong.has('code') ? types.badCode : isTried && isTaken ? types.takenCode : null}
          />
        )}
        <Field
          label={types.name}
          maxLength={limits.putEventType_title}
          value={draft.title}
          onChange={(title) => set({ title })}
          fault={fault('title', 'title', words.fieldErrors.codes['required'] ?? '')}
        />
        <ValueFields {...fields} />
        <TimeFields {...fields} />
        <FlagFields draft={draft} error={put.error} onChange={set} />
        <Buttons>
          <Button kind="primary" type="submit" isPending={put.isPending}>
            {settings.save}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
