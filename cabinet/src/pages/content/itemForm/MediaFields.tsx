import { X } from 'lucide-react';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import { limits } from '../../../data/apiLimits.ts';
import { faultAt } from '../../../data/rejectedFields.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Buttons } from '../../../ui/buttons/Buttons.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Field } from '../../../ui/fields/Field.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { NewButton } from '../../../ui/buttons/NewButton.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { FIRST_KIND, type ItemType, type MediumDraft, type MediumKind } from './itemDraft.ts';
import styles from './MediaFields.module.css';

const KINDS = exhaustiveList<MediumKind>({ video: true, audio: true, image: true });
const MAX_MEDIA = limits.patchProjectItem_media;

interface Props {
  type: ItemType;
  media: readonly MediumDraft[];
  error: Error | null;
  onChange: (media: MediumDraft[]) => void;
}

/** Edits the media of an item by their addresses. */
export function MediaFields({ type, media, error, onChange }: Props) {
  const words = useWords();
  const { itemForm } = words;
  const fault = faultAt(error, 'media', words);
  const change = (at: number, part: Partial<MediumDraft>): void =>
    onChange(media.map((medium, index) => (index === at ? { ...medium, ...part } : medium)));
  return (
    <fieldset className={styles.media}>
      <legend className={styles.legend}>{itemForm.media}</legend>
      <Hint>{itemForm.mediaHint}</Hint>
      {media.map((medium, at) => (
        <MediumFields
          key={at}
          medium={medium}
          number={at + 1}
          faultIn={(field) => faultAt(error, `media[${positionOf(media, at)}].${field}`, words)}
          onChange={(part) => change(at, part)}
          onRemove={() => onChange(media.filter((_, index) => index !== at))}
        />
      ))}
      {fault !== null && (
        <p role="alert" className={styles.fault}>
          {type === 'mixed' ? fault : itemForm.needsMedium[type]}
        </p>
      )}
      <Buttons>
        <NewButton
          text={itemForm.addMedium}
          isDisabled={media.length >= MAX_MEDIA}
          onPress={() => onChange([...media, { kind: FIRST_KIND[type], url: '', version: '' }])}
        />
      </Buttons>
    </fieldset>
  );
}

/** Returns the position in the request: lines without an address are not sent, so later ones move up. */
function positionOf(media: readonly MediumDraft[], at: number): number {
  return media.slice(0, at).filter(({ url }) => url.trim() !== '').length;
}

interface LineProps {
  medium: MediumDraft;
  number: number;
  faultIn: (field: keyof MediumDraft) => string | null;
  onChange: (part: Partial<MediumDraft>) => void;
  onRemove: () => void;
}

function MediumFields({ medium, number, faultIn, onChange, onRemove }: LineProps) {
  const { types, itemForm } = useWords();
  return (
    <div className={styles.medium}>
      <SelectField
        label={itemForm.kind}
        value={medium.kind}
        options={KINDS.map((value) => ({ value, text: types[value] }))}
        onChange={(kind) => onChange({ kind })}
        fault={faultIn('kind')}
      />
      <Field
        label={itemForm.mediumUrl}
        inputMode="url"
        value={medium.url}
        onChange={(url) => onChange({ url })}
        fault={faultIn('url')}
      />
      <Field
        label={itemForm.version}
        maxLength={limits.patchProjectItem_media_each_version}
        value={medium.version}
        onChange={(version) => onChange({ version })}
        fault={faultIn('version')}
      />
      <Button kind="quiet" aria-label={itemForm.removeMedium(number)} onPress={onRemove}>
        <X aria-hidden size={16} />
      </Button>
    </div>
  );
}
