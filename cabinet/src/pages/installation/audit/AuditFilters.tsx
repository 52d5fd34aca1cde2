import { useQuery } from '@tanstack/react-query';
import { AUDIT_PERIODS, type AuditFilter } from '../../../data/installation/auditFilter.ts';
import { limits } from '../../../data/apiLimits.ts';
import { projectsQuery, sitesQuery } from '../../../data/account/tenants.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { FilterChoice } from '../../../ui/choices/FilterChoice.tsx';
import { Filters } from '../../../ui/choices/Filters.tsx';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { useWords } from '../../../words/preferences.tsx';

interface Props {
  filter: AuditFilter;
  /** Name of the filtered user, as in the rows. */
  actor: string | null;
  onChange: (filter: AuditFilter) => void;
}

const ANY = 'any';

export function AuditFilters({ filter, actor, onChange }: Props) {
  const { audit } = useWords();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: sites = [] } = useQuery(sitesQuery);
  const tenants = [...projects, ...sites].map(({ id, title }) => ({ value: id, text: title }));
  const isProject = (id: string): boolean => projects.some((project) => project.id === id);
  return (
    <Filters>
      <SelectField
        label={audit.tenant}
        value={filter.project ?? filter.site ?? ANY}
        options={[{ value: ANY, text: audit.anyTenant }, ...tenants]}
        onChange={(id) => {
          const isAny = id === ANY;
          onChange({
            ...filter,
            project: !isAny && isProject(id) ? id : undefined,
            site: !isAny && !isProject(id) ? id : undefined,
          });
        }}
      />
      <FilterChoice
        label={audit.period}
        any={audit.anyPeriod}
        names={audit.periods}
        known={AUDIT_PERIODS}
        value={filter.period}
        onChange={(period) => onChange({ ...filter, period })}
      />
      <SearchField
        key={filter.operation}
        label={audit.operation}
        maxLength={limits.listAudit_operation}
        value={filter.operation}
        onSubmit={(operation) => onChange({ ...filter, operation })}
      />
      {filter.user !== undefined && (
        <>
          <span>{audit.onlyUser(actor ?? filter.user)}</span>
          <Button onPress={() => onChange({ ...filter, user: undefined })}>{audit.anyUser}</Button>
        </>
      )}
    </Filters>
  );
}
