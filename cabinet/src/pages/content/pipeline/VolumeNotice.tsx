import { Link } from '@tanstack/react-router';
import type { Pipeline } from '../../../data/items/pipeline.ts';
import { STEPS } from '../../../data/items/steps.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';

/**
 * Shows how many items wait for volume. A step that depends on a waiting one is queued and not counted as waiting, so
 * the maximum over the steps is the number of items.
 */
export function VolumeNotice({ project, steps }: { project: string; steps: Pipeline['steps'] }) {
  const { pipeline } = useWords();
  const format = useFormat();
  const waiting = Math.max(...STEPS.map((step) => steps[step].waiting));
  if (waiting === 0) return null;
  return (
    <Notice tone="warn" title={pipeline.volume(format.number(waiting))}>
      <p>
        {pipeline.volumeAbout}{' '}
        <Link to="/p/$project/settings" params={{ project }}>
          {pipeline.toVolume}
        </Link>
      </p>
    </Notice>
  );
}
