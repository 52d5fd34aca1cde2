import { Plus } from 'lucide-react';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { newExperiment, type ExperimentDraft } from '../../../data/output/surfaceDraft.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Row } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { useWords } from '../../../words/preferences.tsx';
import type { PartProps } from './SurfaceForm.tsx';
import { Variant } from './Variant.tsx';

interface Props extends PartProps {
  /** The number of the variant whose settings are not JSON. */
  faulty: number | null;
}

export function ExperimentCard({ draft: { experiment }, onChange, error, faulty }: Props) {
  const { surface } = useWords();
  return (
    <Card title={surface.experiment}>
      <Hint>{surface.experimentAbout}</Hint>
      {experiment ? (
        <Fields
          experiment={experiment}
          error={error}
          faulty={faulty}
          onChange={(next) => onChange({ experiment: next })}
        />
      ) : (
        <Buttons>
          <Button onPress={() => onChange({ experiment: newExperiment(new Date(), surface.firstVariants) })}>
            {surface.startExperiment}
          </Button>
        </Buttons>
      )}
    </Card>
  );
}

interface FieldsProps {
  experiment: ExperimentDraft;
  error: Error | null;
  faulty: number | null;
  onChange: (experiment: ExperimentDraft | null) => void;
}

function Fields({ experiment, error, faulty, onChange }: FieldsProps) {
  const words = useWords();
  const { surface } = words;
  const { id, from, until, variants } = experiment;
  const set = (change: Partial<ExperimentDraft>): void => onChange({ ...experiment, ...change });
  const add = (): void => set({ variants: [...variants, { name: '', share: '0', settings: '{}' }] });
  const isRefused = faultOf(error, 'experiment.id', words) !== null;
  return (
    <>
      <Field
        label={surface.experimentId}
        hint={surface.experimentIdHint}
        maxLength={12}
        value={id}
        onChange={(text) => set({ id: text })}
        fault={isRefused ? surface.idFault : null}
      />
      <Row>
        <Field
          label={surface.from}
          type="datetime-local"
          value={from}
          onChange={(text) => set({ from: text })}
          fault={faultOf(error, 'experiment.from', words)}
        />
        <Field
          label={surface.until}
          type="datetime-local"
          value={until}
          onChange={(text) => set({ until: text })}
          fault={faultOf(error, 'experiment.until', words)}
        />
      </Row>
      {faultOf(error, 'experiment.variants', words) !== null && <Notice tone="bad">{surface.sharesFault}</Notice>}
      {variants.map((variant, index) => (
        <Variant
          // Rows have no identity except their index.
          key={index}
          variant={variant}
          isFaulty={faulty === index}
          fault={(field) => faultOf(error, `experiment.variants[${index}].${field}`, words)}
          onChange={(next) => set({ variants: variants.with(index, next) })}
          onRemove={variants.length > 2 ? () => set({ variants: variants.toSpliced(index, 1) }) : null}
        />
      ))}
      <Buttons>
        <Button isDisabled={variants.length >= limits.putSurface_experiment_variants} onPress={add}>
          <Plus aria-hidden size={16} />
          {surface.addVariant}
        </Button>
        <Button kind="danger" onPress={() => onChange(null)}>
          {surface.stopExperiment}
        </Button>
      </Buttons>
    </>
  );
}
