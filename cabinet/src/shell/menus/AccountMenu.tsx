/** Menu of the signed-in user: language, theme and sign-out. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, CircleUser } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger, type Selection } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { meQuery } from '../../data/account/account.ts';
import { useChoosePreferences } from '../../data/account/storedPreferences.ts';
import { LANGUAGE_CODES, LANGUAGES } from '../../words/load.ts';
import { THEMES, usePreferences, useWords } from '../../words/preferences.tsx';
import { GENERAL_PAGES } from './pageTabs.ts';
import { SignOutProblem } from './SignOutProblem.tsx';
import { useSignOut } from './useSignOut.ts';
import styles from './menus.module.css';

export function AccountMenu() {
  const words = useWords();
  const { account } = words;
  const { data: me } = useQuery(meQuery);
  const { language, theme } = usePreferences();
  const choose = useChoosePreferences();
  const signOut = useSignOut();
  const navigate = useNavigate();
  return (
    <>
      <MenuTrigger>
        <AccountMenuButton name={me?.name} />
        <Popover placement="bottom end" className={styles.popover ?? ''}>
          <Menu className={styles.menu ?? ''}>
            {GENERAL_PAGES.map(({ to, text, isOpenTo, refusal }) => (
              <AccountMenuItem
                key={to}
                text={text(words)}
                refusal={!isOpenTo(me?.role) && refusal !== null && refusal(words)}
                onAction={() => void navigate({ to })}
              />
            ))}
            <Separator className={styles.line ?? ''} />
            <ChoiceSection
              title={account.language}
              options={LANGUAGE_CODES}
              texts={LANGUAGES}
              chosen={language}
              onChoose={choose.language}
            />
            <ChoiceSection
              title={account.theme}
              options={THEMES}
              texts={account.themes}
              chosen={theme}
              onChoose={choose.theme}
            />
            <Separator className={styles.line ?? ''} />
            <MenuItem className={styles.item ?? ''} onAction={() => signOut.mutate('here')}>
              {account.signOut}
            </MenuItem>
            <MenuItem className={styles.item ?? ''} onAction={() => signOut.mutate('everywhere')}>
              {account.signOutEverywhere}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <SignOutProblem signOut={signOut} />
    </>
  );
}

function AccountMenuButton({ name }: { name: string | undefined }) {
  const { account } = useWords();
  return (
    <Button className={styles.trigger ?? ''}>
      <CircleUser aria-hidden size={20} />
      <span className="heard">{account.menu}</span>
      <span className={styles.name}>{name}</span>
    </Button>
  );
}

interface AccountMenuItemProps {
  text: string;
  /** Why it is unavailable to this user, or false. */
  refusal: string | false;
  onAction: () => void;
}

function AccountMenuItem({ text, refusal, onAction }: AccountMenuItemProps) {
  return (
    <MenuItem className={styles.item ?? ''} textValue={text} isDisabled={refusal !== false} onAction={onAction}>
      <span>{text}</span>
      {refusal !== false && <span className={styles.refusal}>{refusal}</span>}
    </MenuItem>
  );
}

interface ChoiceProps<T extends string> {
  title: string;
  options: readonly T[];
  texts: Readonly<Record<T, string>>;
  chosen: T;
  onChoose: (value: T) => void;
}

function ChoiceSection<T extends string>({ title, options, texts, chosen, onChoose }: ChoiceProps<T>) {
  return (
    <MenuSection
      selectionMode="single"
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => pick(keys, options, onChoose)}
    >
      <Header className={styles.header ?? ''}>{title}</Header>
      {options.map((one) => (
        <Option key={one} id={one} text={texts[one]} />
      ))}
    </MenuSection>
  );
}

function Option({ id, text }: { id: string; text: string }) {
  return (
    <MenuItem id={id} textValue={text} className={styles.item ?? ''}>
      {({ isSelected }) => (
        <>
          <span>{text}</span>
          {isSelected && <Check aria-hidden size={16} />}
        </>
      )}
    </MenuItem>
  );
}

function pick<T extends string>(keys: Selection, known: readonly T[], choose: (value: T) => void): void {
  const [chosen] = keys === 'all' ? [] : keys;
  const value = known.find((one) => one === chosen);
  if (value !== undefined) choose(value);
}
