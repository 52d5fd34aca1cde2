/** Russian texts of the sites' pages (`/s/…`). */
export * from './analytics/codes.ts';
export * from './analytics/goals.ts';
export * from './home.ts';
export * from './analytics/live.ts';
export * from './analytics/overview.ts';
export * from './analytics/recordings.ts';
export * from './analytics/reports.ts';
export * from './settings.ts';
export * from './analytics/siteSettings.ts';
export * from './analytics/visitors.ts';
