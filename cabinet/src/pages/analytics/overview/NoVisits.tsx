import { Link } from '@tanstack/react-router';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Shows that there is no data, and suggests what to check next. */
export function NoVisits({ site, isFiltered }: { site: string; isFiltered: boolean }) {
  const { overview } = useWords();
  if (isFiltered) return <Empty title={overview.nothingMatches} />;
  return (
    <Empty title={overview.noVisits}>
      <Link to="/s/$site/settings" params={{ site }}>
        {overview.checkTag}
      </Link>
    </Empty>
  );
}
