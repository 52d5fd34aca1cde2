import { Ellipsis } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import styles from './ActionMenu.module.css';

export interface Action {
  text: string;
  /** Why it is unavailable; null if it is available. */
  refusal?: string | null;
  isDanger?: boolean;
  onAction: () => void;
}

/**
 * Menu of the actions on one entry of a list.
 * @param label names the object
 */
export function ActionMenu({ label, actions }: { label: string; actions: readonly Action[] }) {
  return (
    <MenuTrigger>
      <Button aria-label={label} className={styles.trigger ?? ''}>
        <Ellipsis aria-hidden size={18} />
      </Button>
      <Popover placement="bottom end" className={styles.popover ?? ''}>
        <Menu aria-label={label} className={styles.menu ?? ''}>
          {actions.map(({ text, refusal = null, isDanger = false, onAction }) => (
            <MenuItem
              key={text}
              textValue={text}
              isDisabled={refusal !== null}
              onAction={onAction}
              className={styles.item ?? ''}
              data-danger={isDanger}
            >
              <span>{text}</span>
              {refusal !== null && <span className={styles.refusal}>{refusal}</span>}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
