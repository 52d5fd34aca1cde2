import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Command } from '../../../ui/dialogs/Command.tsx';
import { Empty } from '../../../ui/messages/Empty.tsx';
import { useWords } from '../../../words/preferences.tsx';

/**
 * Explains how to create the first goal, by hand or by a script.
 * @param make link to the form
 */
export function NoGoals({ site, make }: { site: string; make: ReactNode }) {
  const { goals: words } = useWords();
  const command = [
    `curl -X PUT ${location.origin}/cabinet/api/sites/${site}/goals/checkout \\`,
    `  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '{"title": "Order placed", "type": "url", "match": {"op": "starts", "value": "/thanks"}}'`,
  ].join('\n');
  return (
    <Empty title={words.empty}>
      <p>{words.emptyAbout}</p>
      {make}
      <p>{words.emptyScript}</p>
      <Command text={command} />
      <Link to="/account">{words.toToken}</Link>
    </Empty>
  );
}
