/** Settings of a project: title and limits, keys, analysis volume, event types and properties. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { meQuery } from '../../../data/account/account.ts';
import { projectQuery } from '../../../data/project/projectSettings.ts';
import { Page } from '../../../ui/layout/Page.tsx';
import { Problem } from '../../../ui/messages/Problem.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { LanguageAndTopics } from './LanguageAndTopics.tsx';
import { EventTypes } from './eventTypes/EventTypes.tsx';
import { General } from './General.tsx';
import { Keys } from './Keys.tsx';
import { Properties } from './Properties.tsx';
import { SiteOfProject } from './SiteOfProject.tsx';
import { Volume } from './Volume.tsx';
import styles from './SettingsPage.module.css';

export function SettingsPage() {
  const words = useWords();
  const { project: id } = useParams({ from: '/shell/p/$project/settings' });
  const { data: project, error, refetch } = useQuery(projectQuery(id));
  const { data: me } = useQuery(meQuery);
  const role = me?.role ?? 'viewer';
  // Each card loads its own data, so that a slow or failing one does not affect the others.
  return (
    <Page title={words.settings.title}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!project && !error && <p role="status">{words.table.loading}</p>}
      {project && (
        <div className={styles.cards} key={project.id}>
          <General project={project} role={role} />
          <Volume project={id} />
          <LanguageAndTopics project={project} isViewer={role === 'viewer'} />
          <SiteOfProject project={project} isViewer={role === 'viewer'} />
          <div className={styles.wide}>
            <Keys project={id} isViewer={role === 'viewer'} />
          </div>
          <div className={styles.wide}>
            <EventTypes project={id} isViewer={role === 'viewer'} />
          </div>
          <div className={styles.wide}>
            <Properties project={id} isViewer={role === 'viewer'} />
          </div>
        </div>
      )}
    </Page>
  );
}
