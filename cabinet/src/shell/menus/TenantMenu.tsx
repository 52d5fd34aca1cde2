/** Shows the current project or site, and a menu of the others. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { projectsQuery, sitesQuery } from '../../data/account/tenants.ts';
import { useWords } from '../../words/preferences.tsx';
import styles from './menus.module.css';

/** @param title of the project or site whose page is shown */
export function TenantMenu({ title }: { title: string }) {
  const { app } = useWords();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: sites = [] } = useQuery(sitesQuery);
  const navigate = useNavigate();
  return (
    <MenuTrigger>
      <Button className={styles.trigger ?? ''}>
        <span className="heard">{app.tenant}</span>
        <span className={styles.tenant}>{title}</span>
        <ChevronsUpDown aria-hidden size={16} />
      </Button>
      <Popover className={styles.popover ?? ''}>
        <Menu className={styles.menu ?? ''} aria-label={app.tenant}>
          <Tenants
            name={app.projects}
            tenants={projects}
            onPick={(project) => void navigate({ to: '/p/$project', params: { project } })}
          />
          <Tenants
            name={app.sites}
            tenants={sites}
            onPick={(site) => void navigate({ to: '/s/$site', params: { site } })}
          />
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

interface Props {
  name: string;
  tenants: readonly { id: string; title: string }[];
  onPick: (id: string) => void;
}

function Tenants({ name, tenants, onPick }: Props) {
  if (tenants.length === 0) return null;
  return (
    <MenuSection>
      <Header className={styles.header ?? ''}>{name}</Header>
      {tenants.map(({ id, title }) => (
        <MenuItem key={id} id={id} textValue={title} className={styles.item ?? ''} onAction={() => onPick(id)}>
          <span>{title}</span>
          <span className={styles.id}>{id}</span>
        </MenuItem>
      ))}
    </MenuSection>
  );
}
