/** The site whose pages show the items of a project; each of the two links to the other. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, type cabinet } from '../../../data/client.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { projectsQuery, sitesQuery } from '../../../data/account/tenants.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { SelectField } from '../../../ui/choices/SelectField.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';

const NONE = 'none';

export function SiteOfProject({ project, isViewer }: { project: cabinet.Project; isViewer: boolean }) {
  const { settings, refusals } = useWords();
  const { data: sites = [], error } = useQuery(sitesQuery);
  const link = useMutation({
    mutationFn: (site: string) =>
      api.patchProject({ path: { id: project.id }, body: { site_id: site === NONE ? null : site } }),
    onSuccess: async ({ data }) => {
      queryClient.setQueryData(['project', project.id], data);
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
    },
  });
  const fault = link.error ?? error;
  return (
    <Card title={settings.site.title}>
      {fault && <Problem error={fault} />}
      <SelectField
        label={settings.site.site}
        hint={isViewer ? refusals.owner : settings.site.about}
        isDisabled={isViewer}
        value={project.site_id ?? NONE}
        options={[
          { value: NONE, text: settings.site.none },
          ...sites.map(({ id, title }) => ({ value: id, text: title })),
        ]}
        onChange={(site) => link.mutate(site)}
      />
    </Card>
  );
}
