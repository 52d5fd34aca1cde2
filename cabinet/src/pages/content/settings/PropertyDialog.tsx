import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { saveProperty, type Property } from '../../../data/project/projectSettings.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Checkbox } from '../../../ui/choices/Checkbox.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Form } from '../../../ui/fields/Form.tsx';
import { Modal } from '../../../ui/dialogs/Modal.tsx';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  project: string;
  /** Null creates a new one. */
  property: Property | null;
  /** All of the project's properties. */
  known: readonly Property[];
  onClose: () => void;
}

export function PropertyDialog({ project, property, known, onClose }: Props) {
  const words = useWords();
  const { properties, save } = words.settings;
  // Changes are relative to the initial values of the form, whatever arrives meanwhile.
  const [opened] = useState(property);
  const [draft, setDraft] = useState<Property>(opened ?? { name: '', type: 'string', filterable: true });
  const set = (change: Partial<Property>): void => setDraft((former) => ({ ...former, ...change }));
  const [isTried, setTried] = useState(false);
  const put = useMutation({
    mutationFn: (changed: Property) => saveProperty(project, opened, changed),
    onSuccess: (isSaved) => isSaved && onClose(),
  });
  // Integrators may have declared a name with spaces around it.
  const name = opened?.name ?? draft.name.trim();
  // Saving would replace the property that has this name.
  const isTaken = property === null && known.some((one) => one.name === name);
  const submit = (): void => {
    setTried(true);
    if (name !== '' && !isTaken) put.mutate({ ...draft, name });
  };
  const nameFault = (): string | null => {
    if (isTried && name === '') return words.fieldErrors.codes['required'] ?? null;
    if (isTried && isTaken) return properties.takenName;
    return faultOf(put.error, '', words) === null ? faultOf(put.error, 'name', words) : properties.full;
  };
  return (
    <Modal title={property === null ? properties.make : properties.changeNamed(property.name)} isOpen onClose={onClose}>
      <Form onSubmit={submit} error={put.error} fields={['', 'name', 'type']}>
        {property === null && (
          <Field
            label={properties.name}
            hint={properties.nameHint}
            maxLength={limits.putProperty_name}
            autoFocus
            value={draft.name}
            onChange={(text) => set({ name: text })}
            fault={nameFault()}
          />
        )}
        <SelectField
          label={properties.type}
          value={draft.type}
          options={(Object.entries(properties.types) as [Property['type'], string][]).map(([value, text]) => ({
            value,
            text,
          }))}
          onChange={(type) => set({ type })}
          fault={faultOf(put.error, 'type', words)}
        />
        <Checkbox isSelected={draft.filterable} onChange={(filterable) => set({ filterable })}>
          {properties.filterable}
        </Checkbox>
        <Buttons>
          <Button kind="primary" type="submit" isPending={put.isPending}>
            {save}
          </Button>
          <Button onPress={onClose}>{words.dialogs.cancel}</Button>
        </Buttons>
      </Form>
    </Modal>
  );
}
