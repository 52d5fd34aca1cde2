import { requestOf, type LabSearch } from '../../../data/output/lab.ts';
import { Command } from '../../../ui/dialogs/Command.tsx';
import { Disclosure } from '../../../ui/layout/Disclosure.tsx';
import { useWords } from '../../../words/preferences.tsx';

/** Shows the question as an API request. */
export function ApiRequest({ search }: { search: LabSearch }) {
  const { lab } = useWords();
  const { path, request } = requestOf(search);
  const address = `${location.origin}/content/api/v1/${path.startsWith('search') ? path : `recommendations/${path}`}`;
  // A single quote in a shell string must end the string, be escaped, and begin the next one.
  const body = JSON.stringify(request).replaceAll("'", String.raw`'\''`);
  const command = [
    `curl -X POST ${address} \\`,
    `  -H "Authorization: Bearer $PROJECT_KEY" -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
  return (
    <Disclosure title={lab.asRequest}>
      <Command text={command} />
    </Disclosure>
  );
}
