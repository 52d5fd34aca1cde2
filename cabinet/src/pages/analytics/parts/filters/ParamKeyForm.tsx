import { useState } from 'react';
import type { ReportFields } from '../../../../data/report/reportFields.ts';
import { Button } from '../../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../../ui/buttons/Buttons.tsx';
import { SelectField } from '../../../../ui/choices/SelectField.tsx';
import { Field } from '../../../../ui/fields/Field.tsx';
import { Form, Row } from '../../../../ui/fields/Form.tsx';
import { usePreferences } from '../../../../words/preferences.tsx';

/** Maximum length of a key on the server. */
const MAX_KEY_LENGTH = 100;

/** Adds a dimension by the key of a param, for keys that the site has not sent yet. */
export function ParamKeyForm({ fields, onAdd }: { fields: ReportFields; onAdd: (dimension: string) => void }) {
  const { language, words } = usePreferences();
  const kinds = fields.dimensions.filter(({ parameter }) => parameter === 'key');
  const [kind, setKind] = useState(kinds[0]?.id ?? '');
  const [key, setKey] = useState('');
  const add = (): void => {
    if (key.trim() === '') return;
    onAdd(`${kind}:${key.trim()}`);
    setKey('');
  };
  return (
    <details>
      <summary>{words.report.otherKey}</summary>
      <Form onSubmit={add}>
        <Row>
          <SelectField
            label={words.report.ofDimension}
            value={kind}
            options={kinds.map(({ id, label }) => ({ value: id, text: label[language] }))}
            onChange={setKind}
          />
          <Field label={words.report.key} maxLength={MAX_KEY_LENGTH} value={key} onChange={setKey} />
        </Row>
        <Buttons>
          <Button type="submit" isDisabled={key.trim() === ''}>
            {words.report.addKey}
          </Button>
        </Buttons>
      </Form>
    </details>
  );
}
