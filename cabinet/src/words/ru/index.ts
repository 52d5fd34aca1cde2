/** Russian texts of the cabinet, all areas together. */
import type { Words } from '../en/index.ts';
import * as analytics from './analyticsArea.ts';
import * as content from './contentArea.ts';
import * as entry from './entryArea.ts';
import * as installation from './installationArea.ts';

export const ru: Words = { ...entry, ...content, ...analytics, ...installation };
