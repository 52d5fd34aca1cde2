import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { propertiesQuery, type Property } from '../../../data/project/projectSettings.ts';
import { lazyWithReload } from '../../../loading/reloadOutdated.ts';
import { Button } from '../../../ui/buttons/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable, RowTitle, type Column } from '../../../ui/tables/DataTable.tsx';
import { Hint } from '../../../ui/messages/Hint.tsx';
import { NewButton } from '../../../ui/buttons/NewButton.tsx';
import { PaginatedList } from '../../../ui/tables/PaginatedList.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Loaded on demand, like the dialog of event types. */
const PropertyDialog = lazyWithReload(async () => (await import('./PropertyDialog.tsx')).PropertyDialog);

/** Lists the declared properties of a project. */
export function Properties({ project, isViewer }: { project: string; isViewer: boolean }) {
  const words = useWords();
  const { properties, change } = words.settings;
  const query = useInfiniteQuery(propertiesQuery(project));
  const [edited, setEdited] = useState<Property | 'new' | null>(null);
  const columns: Column<Property>[] = [
    { key: 'name', title: properties.columns.name, cell: ({ name }) => <RowTitle title={name} /> },
    { key: 'type', title: properties.columns.type, cell: ({ type }) => properties.types[type] },
    {
      key: 'filter',
      title: properties.columns.filter,
      cell: ({ filterable }) => (filterable ? properties.yes : properties.no),
    },
    {
      key: 'actions',
      title: properties.columns.actions,
      kind: 'actions',
      cell: (property) => (
        <Button
          kind="quiet"
          isDisabled={isViewer}
          aria-label={properties.changeNamed(property.name)}
          onPress={() => setEdited(property)}
        >
          {change}
        </Button>
      ),
    },
  ];
  return (
    <Card
      title={properties.title}
      aside={<NewButton text={properties.make} isDisabled={isViewer} onPress={() => setEdited('new')} />}
    >
      <Hint>{isViewer ? words.refusals.owner : properties.about}</Hint>
      <PaginatedList query={query} empty={<p>{properties.empty}</p>}>
        {(rows) => <DataTable label={properties.title} columns={columns} rows={rows} idOf={({ name }) => name} />}
      </PaginatedList>
      {edited !== null && (
        <Suspense>
          <PropertyDialog
            project={project}
            property={edited === 'new' ? null : edited}
            known={query.data ?? []}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
    </Card>
  );
}
