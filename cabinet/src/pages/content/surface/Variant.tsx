import { X } from 'lucide-react';
import { limits } from '../../../data/apiLimits.ts';
import type { VariantDraft } from '../../../data/output/surfaceDraft.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { CodeArea } from '../../../ui/fields/CodeArea.tsx';
import { useWords } from '../../../words/preferences.tsx';
import rows from '../filters/FilterRows.module.css';

interface Props {
  variant: VariantDraft;
  /** Whether its settings are not JSON. */
  isFaulty: boolean;
  /** Returns the server's fault of a field. */
  fault: (field: string) => string | null;
  onChange: (variant: VariantDraft) => void;
  onRemove: (() => void) | null;
}

export function Variant({ variant, isFaulty, fault, onChange, onRemove }: Props) {
  const { surface } = useWords();
  const { name, share, settings } = variant;
  return (
    <>
      <div className={rows['row']}>
        <Field
          label={surface.variantName}
          maxLength={limits.putSurface_experiment_variants_each_name}
          value={name}
          onChange={(text) => onChange({ ...variant, name: text })}
          fault={fault('name')}
        />
        <Field
          label={surface.variantShare}
          inputMode="decimal"
          value={share}
          onChange={(text) => onChange({ ...variant, share: text })}
          fault={fault('share')}
        />
        {onRemove && (
          <Button kind="quiet" aria-label={surface.removeVariant(name)} onPress={onRemove}>
            <X aria-hidden size={16} />
          </Button>
        )}
      </div>
      <CodeArea
        label={surface.variantSettings}
        rows={3}
        value={settings}
        onChange={(text) => onChange({ ...variant, settings: text })}
        fault={isFaulty ? surface.variantSettingsFault : fault('settings')}
      />
    </>
  );
}
