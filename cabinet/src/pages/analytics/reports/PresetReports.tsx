import { Link } from '@tanstack/react-router';
import { PRESET_REPORTS, searchOfPreset } from '../../../data/report/presetReports.ts';
import type { ReportSearch } from '../../../data/report/reportAddress.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { useWords } from '../../../words/preferences.tsx';
import styles from './ReportsPage.module.css';

/** Links to reports for the most frequent questions. */
export function PresetReports({ site }: { site: string }) {
  const { reports } = useWords();
  const names: Readonly<Record<string, { title: string; about: string }>> = reports.names;
  return (
    <Card title={reports.ready}>
      {Object.entries(PRESET_REPORTS).map(([group, members]) => (
        <div key={group} className={styles.group}>
          <h3>{reports.groups[group as keyof typeof PRESET_REPORTS]}</h3>
          <ul className={styles.presets}>
            {Object.entries(members).map(([id, search]) => (
              <PresetReportLink
                key={id}
                site={site}
                search={searchOfPreset(search)}
                {...(names[id] ?? { title: id, about: '' })}
              />
            ))}
          </ul>
        </div>
      ))}
    </Card>
  );
}

function PresetReportLink(props: { site: string; search: ReportSearch; title: string; about: string }) {
  const { site, search, title, about } = props;
  return (
    <li>
      <Link to="/s/$site/report" params={{ site }} search={search}>
        {title}
      </Link>
      <small>{about}</small>
    </li>
  );
}
