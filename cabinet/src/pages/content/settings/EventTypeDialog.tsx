import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../data/client.ts';
import { FLAGS, titleOfType } from '../../../data/eventTypes.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import type { EventType } from '../../../data/projectSettings.ts';
import { queryClient } from '../../../data/queryClient.ts';
import { Button } from '../../../ui/Button.tsx';
import { Buttons } from '../../../ui/Buttons.tsx';
import { Check } from '../../../ui/Check.tsx';
import { CheckList } from '../../../ui/CheckList.tsx';
import { Choice } from '../../../ui/Choice.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Form, Row } from '../../../ui/Form.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { draftOf, NEW, putOf, wrongFieldsOf, type Draft } from './eventTypeDraft.ts';

const SENT = [
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
  onClose: () => void;
}

export function EventTypeDialog({ project, type, onClose }: Props) {
  const words = useWords();
  const { types, ...settings } = words.settings;
  const [draft, setDraft] = useState<Draft>(() => (type === null ? NEW : draftOf(type)));
  const [isTried, setTried] = useState(false);
  const put = useMutation({
    mutationFn: () => api.putEventType({ path: { id: project, code: draft.code }, body: putOf(draft) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['event-types', project] });
      onClose();
    },
  });
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const wrong = wrongFieldsOf(draft);
  const submit = (): void => {
    setTried(true);
    if (wrong.size === 0) put.mutate();
  };
  const fault = (field: keyof Draft, sent: string, sentence: string): string | null =>
    isTried && wrong.has(field) ? sentence : faultOf(put.error, sent, words);
  const optionsOf = <T extends string>(texts: Record<T, string>) =>
    (Object.entries(texts) as [T, string][]).map(([value, text]) => ({ value, text }));
  const flagFault = FLAGS.map((flag) => faultOf(put.error, flag, words)).find((found) => found !== null);
  return (
    <Modal title={type === null ? types.make : types.changeNamed(titleOfType(type, words))} isOpen onClose={onClose}>
      <Form onSubmit={submit} error={put.error} fields={SENT}>
        {type === null && (
          <Field
            label={types.code}
            hint={types.codeHint}
            autoFocus
            value={draft.code}
            onChange={(code) => set({ code })}
            fault={isTried && wrong.has('code') ? types.badCode : null}
          />
        )}
        <Field
          label={types.name}
          maxLength={limits.putEventType_title}
          value={draft.title}
          onChange={(title) => set({ title })}
          fault={fault('title', 'title', words.fieldErrors.codes['required'] ?? '')}
        />
        <Row>
          <Choice
            label={types.mode}
            hint={types.fixed}
            value={draft.mode}
            options={optionsOf(types.modes)}
            onChange={(mode) => set({ mode })}
            fault={faultOf(put.error, 'mode', words)}
          />
          <Choice
            label={types.value}
            value={draft.value}
            options={optionsOf(types.values)}
            onChange={(value) => set({ value })}
            fault={faultOf(put.error, 'value_kind', words)}
          />
        </Row>
        <Field
          label={types.weight}
          hint={types.weightHint}
          inputMode="decimal"
          value={draft.weight}
          onChange={(weight) => set({ weight })}
          fault={fault('weight', 'weight', settings.anyNumber)}
        />
        {draft.value !== 'none' && (
          <TextArea
            label={types.map}
            hint={types.mapHint}
            rows={4}
            value={draft.map}
            onChange={(map) => set({ map })}
            fault={fault('map', 'value_map', types.badMap)}
          />
        )}
        <Row>
          <Field
            label={types.window}
            hint={types.windowHint}
            inputMode="numeric"
            value={draft.window}
            onChange={(window) => set({ window })}
            fault={fault('window', 'dedup_window_sec', settings.wholeNumber)}
          />
          <Field
            label={types.suppress}
            inputMode="numeric"
            value={draft.suppress}
            onChange={(suppress) => set({ suppress })}
            fault={fault('suppress', 'suppress_similar_days', settings.wholeNumber)}
          />
        </Row>
        <CheckList
          label={types.marks}
          options={FLAGS.map((value) => ({ value, text: types.flags[value] }))}
          value={draft.flags}
          onChange={(flags) => set({ flags: FLAGS.filter((flag) => flags.includes(flag)) })}
          fault={flagFault ?? null}
        />
        <Check isSelected={draft.isActive} onChange={(isActive) => set({ isActive })}>
          {types.active}
        </Check>
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
