import { useQuery } from '@tanstack/react-query';
import type { cabinet } from '../../../data/client.ts';
import { exhaustiveList } from '../../../data/exhaustiveList.ts';
import { faultOf } from '../../../data/rejectedFields.ts';
import { projectsQuery, sitesQuery } from '../../../data/account/tenants.ts';
import type { Role } from '../../../data/account/users.ts';
import { CheckList } from '../../../ui/choices/CheckList.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** A user's role, projects and sites. */
export interface Access {
  role: Role;
  projects: string[];
  sites: string[];
}

interface Props {
  me: cabinet.Me;
  access: Access;
  onChange: (access: Access) => void;
  error: Error | null;
}

/** Names of fields on the server. */
export const ACCESS_FIELDS = ['role', 'projects', 'sites'];
const ROLES = exhaustiveList<Role>({ viewer: true, owner: true, admin: true });

export function AccessFields({ me, access, onChange, error }: Props) {
  const words = useWords();
  const { account, users } = words;
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: sites = [] } = useQuery(sitesQuery);
  const isOwner = me.role === 'owner';
  const optionsOf = (tenants: readonly { id: string; title: string }[]) =>
    tenants.map(({ id, title }) => ({ value: id, text: title }));
  // Only an owner's viewer needs access to something.
  const seesNothing = isOwner && faultOf(error, 'projects', words) !== null && access.projects.length === 0;
  return (
    <>
      <SelectField
        label={users.role}
        hint={isOwner ? users.roleHint : users.roles[access.role]}
        isDisabled={isOwner}
        value={access.role}
        options={ROLES.map((value) => ({ value, text: account.roles[value] }))}
        onChange={(role) => onChange({ ...access, role })}
        fault={faultOf(error, 'role', words)}
      />
      {access.role !== 'admin' && (
        <>
          <CheckList
            label={users.projects}
            none={users.noProjects}
            options={optionsOf(projects)}
            value={access.projects}
            onChange={(chosen) => onChange({ ...access, projects: chosen })}
            fault={seesNothing ? users.seesNothing : faultOf(error, 'projects', words)}
          />
          <CheckList
            label={users.sites}
            none={users.noSites}
            options={optionsOf(sites)}
            value={access.sites}
            onChange={(chosen) => onChange({ ...access, sites: chosen })}
            fault={faultOf(error, 'sites', words)}
          />
        </>
      )}
    </>
  );
}
