/** Russian texts of the home page and the projects' pages (`/p/…`). */
export * from './home.ts';
export * from './imports.ts';
export * from './item.ts';
export * from './itemForm.ts';
export * from './items.ts';
export * from './lab.ts';
export * from './output.ts';
export * from './people.ts';
export * from './pipeline.ts';
export * from './project.ts';
export * from './settings.ts';
export * from './signature.ts';
export * from './webhooks.ts';
