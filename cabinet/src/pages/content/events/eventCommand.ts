/** Returns a shell command that sends an event of an item. */
export function eventCommand(item: string): string {
  const events = [{ id: 'e-1', type: 'open', item, user: { user_id: 'user-1' } }];
  // A single quote in a shell string must end the string, be escaped, and begin the next one.
  const body = JSON.stringify({ events }).replaceAll("'", String.raw`'\''`);
  return [
    `curl -X POST ${location.origin}/content/api/v1/events \\`,
    `  -H "Authorization: Bearer $PROJECT_KEY" -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}
