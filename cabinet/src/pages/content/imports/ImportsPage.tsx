/** Import of items from a file, with its progress and errors by line, and the past imports. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Page } from '../../../ui/layout/Page.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { ImportHistory } from './ImportHistory.tsx';
import { ImportCard } from './ImportCard.tsx';
import { UploadCard } from './UploadCard.tsx';

const PAGE = { from: '/shell/p/$project/imports' } as const;

export function ImportsPage() {
  const { imports } = useWords();
  const { project } = useParams(PAGE);
  const { file } = useSearch(PAGE);
  const navigate = useNavigate();
  const show = (id: string): void =>
    void navigate({ to: '/p/$project/imports', params: { project }, search: { file: id }, resetScroll: false });
  return (
    <Page title={imports.title}>
      <UploadCard project={project} onSent={show} />
      {file !== undefined && <ImportCard key={file} project={project} id={file} />}
      <ImportHistory project={project} shown={file} />
    </Page>
  );
}
