import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../../data/client.ts';
import { keysQuery } from '../../../data/project/projectSettings.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { KeysCard } from '../../../ui/keys/KeysCard.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Lists the keys of a project. */
export function Keys({ project, isViewer }: { project: string; isViewer: boolean }) {
  const { keys } = useWords().settings;
  return (
    <KeysCard
      query={useInfiniteQuery(keysQuery(project))}
      isViewer={isViewer}
      texts={keys}
      detailOf={({ prefix }) => `${prefix}…`}
      make={async (name) => (await api.createProjectKey({ path: { id: project }, body: { name } })).data.key}
      revoke={({ id }) => api.revokeProjectKey({ path: { id: project, key_id: id } })}
      refresh={() => queryClient.invalidateQueries({ queryKey: ['keys', project] })}
    />
  );
}
