import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { oneOf } from '../../../data/searchValues.ts';
import type { Defaults } from '../../../data/output/surfaceDraft.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Row } from '../../../ui/fields/Form.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { NumberField } from '../../../ui/fields/NumberField.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { FilterRows } from '../filters/FilterRows.tsx';
import { SeenChoice } from '../lab/Settings.tsx';
import type { PartProps } from './SurfaceForm.tsx';

const AGES = exhaustiveList<NonNullable<Defaults['max_age_rating']>>({
  '0+': true,
  '6+': true,
  '12+': true,
  '16+': true,
  '18+': true,
});
const ANY = 'any';
const SHOWN: ReadonlySet<string> = new Set([
  'limit',
  'include_seen',
  'diversity',
  'exploration',
  'max_per_author',
  'rotation_hours',
  'max_age_rating',
  'filters',
]);
const NUMBERS = [
  ['limit', 1, limits.putSurface_defaults_limit, 1],
  ['max_per_author', 1, limits.putSurface_defaults_max_per_author, 1],
  ['diversity', 0, limits.putSurface_defaults_diversity, 0.1],
  ['exploration', 0, limits.putSurface_defaults_exploration, 0.1],
  ['rotation_hours', 0, limits.putSurface_defaults_rotation_hours, 1],
] as const;

export function DefaultsCard({ project, draft: { defaults }, onChange, error }: PartProps) {
  const words = useWords();
  const { surface, lab } = words;
  const set = (change: Partial<Record<keyof Defaults, unknown>>): void =>
    onChange({ defaults: { ...defaults, ...change } as Defaults });
  const titles = {
    limit: lab.limit,
    max_per_author: surface.maxPerAuthor,
    diversity: lab.diversity,
    exploration: lab.exploration,
    rotation_hours: surface.rotation,
  };
  const others = Object.keys(defaults).filter((name) => !SHOWN.has(name));
  return (
    <Card title={surface.defaults}>
      <Hint>{surface.defaultsAbout}</Hint>
      <Row>
        {NUMBERS.map(([name, min, max, step]) => (
          <NumberField
            key={name}
            label={titles[name]}
            min={min}
            max={max}
            step={step}
            value={defaults[name]}
            onChange={(value) => set({ [name]: value })}
            fault={faultOf(error, `defaults.${name}`, words)}
          />
        ))}
        <SeenChoice value={defaults.include_seen} onChange={(seen) => set({ include_seen: seen })} />
        <SelectField
          label={surface.age}
          value={defaults.max_age_rating ?? ANY}
          options={[
            { value: ANY, text: surface.anyAge },
            ...AGES.map((value) => ({ value: value as string, text: value })),
          ]}
          onChange={(age) => set({ max_age_rating: oneOf(AGES, age) })}
        />
      </Row>
      <strong>{lab.filters}</strong>
      <FilterRows
        project={project}
        filters={defaults.filters ?? []}
        onChange={(filters) => set({ filters: filters.length > 0 ? filters : undefined })}
        faultAt={(index) => faultOf(error, `defaults.filters[${index}]`, words)}
      />
      {others.length > 0 && <Hint>{surface.others(others.join(', '))}</Hint>}
    </Card>
  );
}
