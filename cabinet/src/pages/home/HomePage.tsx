/** The home page: problems, and the user's projects and sites. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMayChange } from '../../data/account/rights.ts';
import { projectsQuery, sitesQuery } from '../../data/account/tenants.ts';
import { Buttons } from '../../ui/buttons/Buttons.tsx';
import { Empty } from '../../ui/messages/Empty.tsx';
import { NewButton } from '../../ui/buttons/NewButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { useWords } from '../../words/preferences.tsx';
import { NewProject } from './NewProject.tsx';
import { NewSite } from './NewSite.tsx';
import { Projects } from './Projects.tsx';
import { Sites } from './Sites.tsx';
import { Troubles } from './Troubles.tsx';
import styles from './HomePage.module.css';

export function HomePage() {
  const { home } = useWords();
  const mayMake = useMayChange();
  const [making, setMaking] = useState<'project' | 'site' | null>(null);
  const projects = useQuery(projectsQuery);
  const sites = useQuery(sitesQuery);
  const isNew = projects.data?.length === 0 && sites.data?.length === 0;
  const close = (): void => setMaking(null);
  const makers = (
    <Buttons>
      <NewButton text={home.newProject.make} isDisabled={!mayMake} onPress={() => setMaking('project')} />
      <NewButton text={home.newSite.make} isDisabled={!mayMake} onPress={() => setMaking('site')} />
    </Buttons>
  );
  return (
    <Page title={home.title} about={!mayMake && !isNew && home.viewer} actions={!isNew && makers}>
      <Troubles />
      {isNew ? (
        <Empty title={home.welcome.title}>
          <p className={styles.welcome}>{mayMake ? home.welcome.about : home.welcome.viewer}</p>
          {mayMake && makers}
        </Empty>
      ) : (
        <div className={styles.lists}>
          <Projects query={projects} />
          <Sites query={sites} />
        </div>
      )}
      {making === 'project' && <NewProject onClose={close} />}
      {making === 'site' && <NewSite onClose={close} />}
    </Page>
  );
}
