/** English texts about current visitors of a site. */

export const live = {
  title: 'Live',
  now: 'People now',
  recently: (people: string, visits: string) => `People in the last 30 minutes: ${people}, visits: ${visits}`,
  people: 'People',
  definition: 'People with a hit in the last five minutes. Robots are left out.',
  sampled: 'There are very many visits: this is computed on a sample.',
  pages: 'Pages now',
  sources: 'Sources',
  nobody: 'Nobody at the moment.',
};
