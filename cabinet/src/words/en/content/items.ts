/** English texts of the list of items. */

export const items = {
  title: 'Items',
  search: 'Find by id or title',
  status: 'Status',
  add: 'Add an item',
  any: 'Any',
  visibility: 'Visibility',
  visibilities: { shown: 'Shown', hidden: 'Hidden', deleted: 'Deleted' },
  origin: 'Came from',
  origins: { api: 'API or cabinet', import: 'Import', order: 'Order' },
  view: 'View',
  table: 'Table',
  grid: 'Pictures',
  moderated: (level: string) => `Moderation: ${level}`,
  columns: { item: 'Item', type: 'Type', status: 'Status', updated: 'Changed' },
  empty: 'Nothing here yet',
  emptyHint: 'Add the first item with the button above, or send it to the content API:',
  emptyImport: 'Or import a file of items',
  nothingFound: 'No items match',
  clear: 'Show all',
  stoppedAt: (what: string) => `Only items that stopped at: ${what}`,
  next: 'Next page',
  first: 'First page',
  more: 'The search continues on the next page.',
  unavailable: 'hidden',
  deleted: 'deleted',
};

export const types = { video: 'Video', audio: 'Audio', image: 'Image', text: 'Text', mixed: 'Mixed' };

export const statuses = {
  queued: 'Queued',
  processing: 'In progress',
  ready: 'Ready',
  partial: 'Partly ready',
  failed: 'Failed',
  deferred: 'Postponed',
};
