import { Plus, X } from 'lucide-react';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { itemSuggestions } from '../../../data/fieldSuggestions.ts';
import type { Pin } from '../../../data/output/surfaceDraft.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { NumberField } from '../../../ui/fields/NumberField.tsx';
import { SuggestField } from '../../../ui/fields/SuggestField.tsx';
import { useWords } from '../../../words/preferences.tsx';
import rows from '../filters/FilterRows.module.css';
import type { PartProps } from './SurfaceForm.tsx';

const LAST_POSITION = limits.putSurface_pins_each_position + 1;

export function Pins({ project, draft: { pins }, onChange, error }: PartProps) {
  const words = useWords();
  const { surface } = words;
  const replace = (index: number, pin: Pin): void => onChange({ pins: pins.with(index, pin) });
  const add = (): void => onChange({ pins: [...pins, { item: '', position: pins.length }] });
  return (
    <Card title={surface.pins}>
      <Hint>{surface.pinsAbout}</Hint>
      {pins.map(({ item, position }, index) => (
        // Rows have no identity except their index.
        <div key={index} className={rows['row']}>
          <SuggestField
            label={surface.pinItem}
            maxLength={limits.putSurface_pins_each_item}
            value={item}
            suggest={(text) => itemSuggestions(project, text)}
            onChange={(id) => replace(index, { item: id, position })}
            fault={faultOf(error, `pins[${index}].item`, words)}
          />
          <NumberField
            label={surface.pinPosition}
            min={1}
            max={LAST_POSITION}
            isRequired
            value={position + 1}
            onChange={(next) => replace(index, { item, position: (next ?? Number.NaN) - 1 })}
            fault={faultOf(error, `pins[${index}].position`, words)}
          />
          <Button
            kind="quiet"
            aria-label={surface.removePin(item)}
            onPress={() => onChange({ pins: pins.toSpliced(index, 1) })}
          >
            <X aria-hidden size={16} />
          </Button>
        </div>
      ))}
      <span>
        <Button isDisabled={pins.length >= limits.putSurface_pins} onPress={add}>
          <Plus aria-hidden size={16} />
          {surface.addPin}
        </Button>
      </span>
    </Card>
  );
}
