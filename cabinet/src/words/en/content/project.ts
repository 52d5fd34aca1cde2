/** English texts of a project's overview. */

export const project = {
  title: 'Overview',
  pipeline: 'Analysis',
  toPipeline: 'Go to the pipeline',
  failures: 'Most frequent reasons for failure',
  volume: 'Volume of this month',
  toVolume: 'By day and model',
  latest: 'Latest items',
  toItems: 'All items',
  first: 'Send the first item',
  webhooks: 'Webhooks',
  toWebhooks: 'All webhooks',
  noWebhooks: 'Nobody is notified when an analysis ends.',
  addWebhook: 'Add a webhook',
};
