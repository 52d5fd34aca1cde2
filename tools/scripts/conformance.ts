/** `npm run conformance`: generates docs/conformance.md from the lists of rules and the tags of the tests. */
import { writeFile } from 'node:fs/promises';
import { DOCUMENT, writeDocument } from '../../test/conformance/document.ts';
import { readProofs } from '../../test/conformance/proofs.ts';
import { CHAPTERS } from '../../test/conformance/rules/index.ts';

await writeFile(DOCUMENT, writeDocument(CHAPTERS, await readProofs()));
