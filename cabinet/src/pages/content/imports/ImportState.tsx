import type { Import } from '../../../data/items/imports.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Shows the state of an import in a word: one that finished may still have had errors. */
export function ImportState({ state, failed }: Pick<Import, 'state' | 'failed'>) {
  const { states } = useWords().imports;
  if (state === 'queued') return <Badge tone="quiet">{states.queued}</Badge>;
  if (state === 'running') return <Badge tone="busy">{states.running}</Badge>;
  if (state === 'failed') return <Badge tone="bad">{states.failed}</Badge>;
  return failed > 0 ? <Badge tone="warn">{states.faulty}</Badge> : <Badge tone="good">{states.done}</Badge>;
}
