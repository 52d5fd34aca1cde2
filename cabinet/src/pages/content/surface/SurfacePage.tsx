/** Settings of requests for one surface, and the experiment on it. */
import { Link, useParams } from '@tanstack/react-router';
import { AttuneError } from '../../../data/client.ts';
import { useNewest } from '../../../data/account/newest.ts';
import { surfaceQuery } from '../../../data/output/output.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { RemoveSurface } from './RemoveSurface.tsx';
import { SurfaceForm } from './SurfaceForm.tsx';

export function SurfacePage() {
  const { surface: words, table } = useWords();
  const { project, surface } = useParams({ from: '/shell/p/$project/output/$surface' });
  const { data, error, refetch } = useNewest({ ...surfaceQuery(project, surface), refetchOnWindowFocus: false });
  const isNew = !data && error instanceof AttuneError && error.status === 404;
  return (
    <Page
      title={surface}
      above={
        <Link to="/p/$project/output" params={{ project }}>
          {words.back}
        </Link>
      }
      actions={
        <>
          <Link to="/p/$project/lab" params={{ project }} search={{ surface }}>
            {words.tryIt}
          </Link>
          {data && <RemoveSurface project={project} surface={surface} />}
        </>
      }
    >
      {isNew && <Notice tone="warn">{words.isNew}</Notice>}
      {error && !isNew && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <p role="status">{table.loading}</p>}
      {(data || isNew) && <SurfaceForm key={surface} project={project} name={surface} surface={data ?? null} />}
    </Page>
  );
}
