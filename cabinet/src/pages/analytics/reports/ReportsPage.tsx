/** The saved and the ready-made reports of a site. */
import { Link, useParams } from '@tanstack/react-router';
import { Page } from '../../../ui/layout/Page.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { PresetReports } from './PresetReports.tsx';
import { SavedReports } from './SavedReports.tsx';
import styles from './ReportsPage.module.css';

export function ReportsPage() {
  const { reports } = useWords();
  const { site } = useParams({ from: '/shell/s/$site/reports' });
  return (
    <Page
      title={reports.title}
      actions={
        <Link to="/s/$site/report" params={{ site }} className={styles.build}>
          {reports.build}
        </Link>
      }
    >
      <SavedReports site={site} />
      <PresetReports site={site} />
    </Page>
  );
}
