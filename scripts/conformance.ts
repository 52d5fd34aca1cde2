/** `npm run conformance`: generates docs/conformance.md from test/conformance/rules. */
import { writeFile } from 'node:fs/promises';
import { DOCUMENT, writeDocument } from '../test/conformance/document.ts';
import { CHAPTERS } from '../test/conformance/rules/index.ts';

await writeFile(DOCUMENT, writeDocument(CHAPTERS));
