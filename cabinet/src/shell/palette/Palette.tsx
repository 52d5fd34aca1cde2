/** Jumps to a project, a site, a page or an item: a few letters and Enter. */
import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { TextField } from 'react-aria-components/TextField';
import { Modal } from '../../ui/dialogs/Modal.tsx';
import { useWords } from '../../words/preferences.tsx';
import field from '../../ui/fields/Field.module.css';
import styles from '../menus/menus.module.css';
import { matchEntries } from './entries.ts';
import { useItems } from './useItems.ts';
import { useDestinations, type PaletteContext } from './useDestinations.ts';

export function Palette({ onClose, ...around }: PaletteContext & { onClose: () => void }) {
  const { palette } = useWords();
  const [query, setQuery] = useState('');
  const destinations = matchEntries(useDestinations(around), query);
  const items = useItems(query, around.projects, around.here);
  const entries = [...destinations, ...items];
  return (
    <Modal title={palette.label} isOpen onClose={onClose}>
      <Autocomplete inputValue={query} onInputChange={setQuery}>
        <TextField aria-label={palette.label} autoFocus maxLength={191}>
          <Input className={field.input ?? ''} placeholder={palette.hint} />
        </TextField>
        <Menu
          aria-label={palette.label}
          items={entries}
          className={`${styles.menu} ${styles.found}`}
          renderEmptyState={() => <p>{palette.nothing}</p>}
        >
          {({ id, text, detail, go }) => (
            <MenuItem
              id={id}
              textValue={text}
              className={styles.item ?? ''}
              onAction={() => {
                onClose();
                go();
              }}
            >
              <span>{text}</span>
              <span className={styles.id}>{detail}</span>
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
    </Modal>
  );
}
