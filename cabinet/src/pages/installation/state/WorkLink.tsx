import { Copy } from 'lucide-react';
import { useState } from 'react';
import type { WorkEntry } from '../../../data/installation/installation.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Links to an entry's workflow in Temporal, or shows the id by which it is found there. */
export function WorkLink({ entry }: { entry: WorkEntry }) {
  const { work } = useWords().installation;
  const { workflow_id: workflow, workflow_url: url, id, project_id: project, site_id: site } = entry;
  if (workflow === null) return id ?? project ?? site ?? work.none;
  if (url === null) return <Id id={workflow} />;
  return (
    <a href={url} target="_blank" rel="noreferrer" aria-label={work.inTemporal(workflow)}>
      {workflow}
    </a>
  );
}

function Id({ id }: { id: string }) {
  const { work } = useWords().installation;
  const [isCopied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard.writeText(id).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <>
      {id}
      {/* The clipboard API needs https or a local page. */}
      {'clipboard' in navigator && (
        <Button kind="quiet" aria-label={`${isCopied ? work.copied : work.copy}: ${id}`} onPress={copy}>
          <Copy aria-hidden size={14} />
        </Button>
      )}
    </>
  );
}
