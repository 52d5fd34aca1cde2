import { useQuery } from '@tanstack/react-query';
import { useMayChange } from './rights.ts';
import { projectsQuery } from './tenants.ts';

/** Returns why the signed-in user may not change and analyse items of a project, as a key of the words; else null. */
export function useRefusal(project: string): 'owner' | 'paused' | null {
  const mayChange = useMayChange();
  const { data: projects } = useQuery(projectsQuery);
  if (!mayChange) return 'owner';
  return (projects?.find(({ id }) => id === project)?.state ?? 'active') === 'active' ? null : 'paused';
}
