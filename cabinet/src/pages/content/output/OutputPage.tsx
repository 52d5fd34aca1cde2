/** Results and settings of recommendations: report, surfaces, models, synonyms. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { OutputSearch } from '../../../data/output/outputSearch.ts';
import { Page } from '../../../ui/layout/Page.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { Models } from './Models.tsx';
import { Report } from './Report.tsx';
import { Surfaces } from './Surfaces.tsx';
import { Synonyms } from './Synonyms.tsx';

const PAGE = { from: '/shell/p/$project/output' } as const;

export function OutputPage() {
  const { output } = useWords();
  const { project } = useParams(PAGE);
  const search = useSearch(PAGE);
  const navigate = useNavigate();
  const show = (next: OutputSearch): void =>
    void navigate({ to: '/p/$project/output', params: { project }, search: next, replace: true, resetScroll: false });
  // Each card loads its own data, so that a slow or failing one does not affect the others.
  return (
    <Page title={output.title}>
      <Report project={project} search={search} onChange={show} />
      <Surfaces project={project} />
      <Models project={project} />
      <Synonyms project={project} />
    </Page>
  );
}
