import { Plus } from 'lucide-react';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import type { Boost } from '../../../data/output/surfaceDraft.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { NumberField } from '../../../ui/fields/NumberField.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { FilterRow, startOf } from '../filters/FilterRows.tsx';
import { useFilterable } from '../filters/useFilterable.tsx';
import type { PartProps } from './SurfaceForm.tsx';

export function Boosts({ project, draft: { boosts }, onChange, error }: PartProps) {
  const words = useWords();
  const { surface } = words;
  const { properties, isKnown, note } = useFilterable(project);
  const [first] = properties;
  const shown = isKnown ? boosts : [];
  const replace = (index: number, boost: Boost): void => onChange({ boosts: boosts.with(index, boost) });
  return (
    <Card title={surface.boosts}>
      <Hint>{surface.boostsAbout}</Hint>
      {note}
      {shown.map(({ filter, factor }, index) => (
        // Rows have no identity except their index.
        <div key={index}>
          <FilterRow
            known={properties}
            filter={filter}
            onChange={(next) => replace(index, { filter: next, factor })}
            onRemove={() => onChange({ boosts: boosts.toSpliced(index, 1) })}
            removeLabel={surface.removeBoost(filter.property)}
            fault={faultOf(error, `boosts[${index}].filter`, words)}
          />
          <NumberField
            label={surface.factor}
            min={0.1}
            max={limits.putSurface_boosts_each_factor}
            step={0.1}
            isRequired
            value={factor}
            onChange={(next) => replace(index, { filter, factor: next ?? Number.NaN })}
            fault={faultOf(error, `boosts[${index}].factor`, words)}
          />
        </div>
      ))}
      {first && (
        <span>
          <Button
            isDisabled={boosts.length >= limits.putSurface_boosts}
            onPress={() => onChange({ boosts: [...boosts, { filter: startOf(first), factor: 2 }] })}
          >
            <Plus aria-hidden size={16} />
            {surface.addBoost}
          </Button>
        </span>
      )}
    </Card>
  );
}
