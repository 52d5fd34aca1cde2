/** Russian texts of the sites' pages (`/s/…`). */
export * from './codes.ts';
export * from './goals.ts';
export * from './home.ts';
export * from './live.ts';
export * from './overview.ts';
export * from './recordings.ts';
export * from './reports.ts';
export * from './settings.ts';
export * from './siteSettings.ts';
export * from './visitors.ts';
