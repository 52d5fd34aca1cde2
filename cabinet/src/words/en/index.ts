/**
 * English texts of the cabinet. Their shape is the model for the other languages. A new topic belongs to the area of
 * the pages that use it, in each language: a browser loads only the areas that it needs (load.ts).
 */
import * as analytics from './analyticsArea.ts';
import * as content from './contentArea.ts';
import * as entry from './entryArea.ts';
import * as installation from './installationArea.ts';

export const en = { ...entry, ...content, ...analytics, ...installation };

export type Words = typeof en;
