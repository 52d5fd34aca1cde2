/** Russian texts of the home page and the projects' pages (`/p/…`). */
export * from './home.ts';
export * from './content/imports.ts';
export * from './content/item.ts';
export * from './content/itemForm.ts';
export * from './content/items.ts';
export * from './content/lab.ts';
export * from './content/output.ts';
export * from './content/people.ts';
export * from './content/pipeline.ts';
export * from './content/project.ts';
export * from './settings.ts';
export * from './content/signature.ts';
export * from './content/webhooks.ts';
