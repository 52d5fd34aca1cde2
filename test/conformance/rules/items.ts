/** Objects: their fields, writes, reads and batches. */
import { rule, testsIn, type Chapter } from '../rule.ts';

const items = testsIn('api/content/items');
const fields = testsIn('api/http/fields');
const batch = testsIn('api/content/itemBatch');
const list = testsIn('api/content/itemList');
const results = testsIn('api/content/itemResults');
const write = testsIn('db/items/write');
const read = testsIn('db/items/read');
const steps = testsIn('domain/steps');
const examples = testsIn('api/examples');
const orders = testsIn('api/content/orders');
const media = testsIn('workflows/itemMedia');
const filterable = testsIn('domain/itemProperties');

const PUT = 'PUT /items/{id} › ';
const GET = 'GET /items/{id} › ';
const PATCH = 'PATCH /items/{id} › ';
const REFUSED = 'a PUT body that is refused › %s';
const ACCEPTED = 'a PUT body that is accepted › %s';
const PATCH_REFUSED = 'a PATCH body that is refused › %s';
const documentedKeys = items(`${GET}has the documented keys, and the included parts only when asked for`);
const described = (operation: string) => examples('the example of › %s is answered as described', operation);

export const itemChapters: Chapter[] = [
  {
    title: 'Item write',
    rules: [
      rule(
        'type',
        'required, one of five',
        fields(REFUSED, 'an empty object', 'a type that is null', 'an unknown type'),
      ),
      rule(
        'title',
        'text or null, 1,000 characters',
        fields(REFUSED, 'a title of another type', 'a title that is too long'),
        fields(ACCEPTED, '1000 emoji in a title'),
      ),
      rule(
        'description',
        'text or null, 20,000 characters',
        fields(REFUSED, 'a description that is too long'),
        fields(ACCEPTED, 'a description of 20000 characters'),
      ),
      rule(
        'body',
        'text or null, 1,000,000 characters',
        fields(REFUSED, 'a text that is too long'),
        fields(ACCEPTED, 'a text of a million characters'),
      ),
      rule('author', 'text or null, 191 characters', fields(REFUSED, 'an author that is too long')),
      rule(
        'url',
        'text or null, 2,048 characters',
        fields(REFUSED, 'an url that is too long'),
        fields(ACCEPTED, 'an url of 2048 characters'),
      ),
      rule(
        'published_at',
        'a time with its zone; by default that of creation',
        fields(REFUSED, 'a time without a zone', 'a date alone'),
        write('a new item › is published when it was created unless it says otherwise'),
      ),
      rule(
        'properties',
        'any object of up to 16 KB; filterable properties hold their type',
        fields(REFUSED, 'properties over 16 KB', 'properties as an array'),
        fields(ACCEPTED, 'properties of exactly 16 KB'),
        batch('filterable properties › hold their type in every write'),
        filterable('a filterable property › of type %s refuses others'),
      ),
      rule(
        'media',
        'up to 50 in order; at least one of the kind of the type; none for a text',
        fields(REFUSED, '51 media', 'an image without media', 'a video with an image', 'a text with media'),
        fields(ACCEPTED, '50 media'),
        media('media › may be fifty, and the history stays small'),
      ),
      rule(
        'available',
        'no null; true by default',
        fields(REFUSED, 'available: null'),
        items(`${PUT}creates with 201, then replaces with 200`),
      ),
      rule(
        'PATCH',
        'the same fields but type; null clears, but neither media nor available',
        fields(PATCH_REFUSED, 'a type', 'media: null', 'available: null'),
        items(`${PATCH}replaces sent fields, clears by null, leaves the rest`),
      ),
      rule(
        'MediaIn',
        'kind and https address required, version of up to 64; another version is another medium',
        fields(
          REFUSED,
          'an empty medium',
          'an http address',
          'an address that is too long',
          'a version that is too long',
        ),
        write('media › with another %s are computed anew, the others are not', 'version'),
      ),
      rule(
        'unsent fields',
        'a PUT clears what it does not send',
        items(`${PUT}creates with 201, then replaces with 200`),
      ),
    ],
  },
  {
    title: 'Item read',
    rules: [
      ...[
        'id',
        'type',
        'title, description, author, url, published_at',
        'properties',
        'available, deleted',
        'updated_at',
        'media',
        'summary',
      ].map((id) => rule(id, 'a key of every answer, of the described form', documentedKeys, described('getItem'))),
      rule(
        'origin',
        'api, import or order',
        documentedKeys,
        orders(
          'POST /orders › makes an unavailable item of a product outside the catalogue, before it answers, and never analyses it',
        ),
      ),
      rule(
        'status',
        'one of six, made of the steps',
        steps('statusFromSteps › follows the rules for every combination of step states'),
      ),
      rule(
        'processing',
        'the state of each of five steps',
        documentedKeys,
        steps('statesOf › shows a queued step as deferred exactly when it waits, directly or not, for a deferred one'),
        read('tells why a step that applies was skipped, though the item is ready'),
      ),
      rule(
        'transcript',
        'there with include=transcript',
        documentedKeys,
        read('leaves out what was not asked for, and says null for what there is not'),
      ),
      rule(
        'frames',
        'there with include=frames',
        documentedKeys,
        read('leaves out what was not asked for, and says null for what there is not'),
      ),
      rule(
        'search_chunks',
        'there with include=search_chunks',
        documentedKeys,
        read('leaves out what was not asked for, and says null for what there is not'),
      ),
      rule(
        'MediaOut',
        'place, kind, address, duration, size, state',
        results('an analysed item › shows its media in order, with what was measured'),
        media('media › are prepared, heard and seen, and the item is ready'),
        read('shows a failed medium where it stands now, and forgets it when it leaves'),
      ),
      rule(
        'SummaryOut',
        'summary with topics, tags, entities, language, rating',
        results('an analysed item › shows the whole summary with its moderation'),
      ),
      rule(
        'Moderation',
        'level, categories, evidence; there without a summary too',
        results('an analysed item › shows the whole summary with its moderation'),
        results('an analysed item › shows its moderation without a summary too'),
      ),
      rule(
        'TranscriptOut',
        'text with its segments and times',
        results('an analysed item › shows each transcript with its segments'),
      ),
      rule(
        'FrameOut',
        'time, description, text, signed link; a duplicate names its original',
        results('an analysed item › shows each frame, a duplicate with the time of its original'),
        testsIn('db/analysis/media')(
          'frames › worth a look are neither flat nor duplicates; a duplicate shows what its original does',
        ),
      ),
      rule(
        'SearchChunkOut',
        'text with its place in a medium',
        results('an analysed item › shows the search chunks in order, with their place in a medium'),
      ),
      rule(
        'ItemListEntry, ItemListResponse',
        'short entries, and a cursor that is null at the end',
        list('GET /items › walks all items once, by pages of 100 or what is asked'),
      ),
      rule(
        'ItemWriteResponse',
        'id, status, available, deleted, processing',
        described('putItem'),
        described('patchItem'),
      ),
      rule('ItemDeleteResponse', 'id and deleted', described('deleteItem')),
      rule(
        'free objects',
        'categories, evidence, entities, safety, value_map and properties are objects of any content',
        items(`${PUT}takes null for media and a harmless __proto__ in properties`),
        results('an analysed item › shows the whole summary with its moderation'),
      ),
    ],
  },
  {
    title: 'Batch of items',
    rules: [
      rule(
        'BatchOperation',
        'op, id of 1 to 191 characters, data of that op',
        batch('POST /items/batch › refuses the whole request for faults of the envelope, and does nothing'),
        batch('POST /items/batch › takes any id of up to 191 characters'),
        batch('POST /items/batch › reprocesses items of any id, all steps or those that are named'),
      ),
      rule(
        'BatchResult',
        'id, ok, status and error of each operation',
        batch('POST /items/batch › does its operations in order, each for itself'),
      ),
      rule(
        'BatchError',
        'code, message and details of an element',
        batch('POST /items/batch › tells faults of the data by element, with paths of its own'),
      ),
    ],
  },
  {
    title: 'Endpoints: objects',
    rules: [
      rule(
        'GET /items/{id}',
        'any documented id in the path, include as a comma list, deleted ones too, 404',
        items(`${GET}takes every documented character in the path`),
        documentedKeys,
        items('DELETE /items/{id} › deletes softly, twice; PATCH leaves it deleted and PUT lifts it'),
        testsIn('api/http/orderOfChecks')('400 › include=%s'),
      ),
      rule(
        'PUT /items/{id}',
        '201 for a new one, 200 after; idempotent',
        items(`${PUT}creates with 201, then replaces with 200`),
        items(`${PUT}changes nothing when it is identical`),
        items(`${PUT}answers one 201 to many identical writes at once`),
      ),
      rule(
        'PATCH /items/{id}',
        '200, or 404',
        items(`${PATCH}replaces sent fields, clears by null, leaves the rest`),
        items(`${PATCH}answers 404 to an unknown item, after 422`),
      ),
      rule(
        'DELETE /items/{id}',
        '200 also again, or 404',
        items('DELETE /items/{id} › deletes softly, twice; PATCH leaves it deleted and PUT lifts it'),
        items('DELETE /items/{id} › answers 404 to an unknown item'),
      ),
      rule(
        'POST /items/batch',
        'up to 500 in order and independently; 413 above',
        batch('POST /items/batch › does its operations in order, each for itself'),
        batch('POST /items/batch › takes 500 operations and no more, whatever they are'),
      ),
      rule(
        'GET /items',
        'filters, pages of 1 to 500, by updated_at ascending, deleted ones too, changed ones again',
        list('GET /items › filters, also along pages'),
        list('GET /items › walks all items once, by pages of 100 or what is asked'),
        list('GET /items › shows an item that changes on the way again'),
        list('GET /items › shows named items of any id, as they are now'),
        list('GET /items › refuses %s with 400'),
        testsIn('db/items/list')('the list › ascends by the last change, deleted items included'),
      ),
      rule(
        'POST /items/{id}/reprocess',
        '202 with steps, null or nothing; 404, 422',
        items('POST /items/{id}/reprocess › takes steps, null, an empty object or no body at all'),
        items('POST /items/{id}/reprocess › refuses a step that cannot be asked for'),
        items('POST /items/{id}/reprocess › answers 404 to an unknown item and to a deleted one'),
      ),
    ],
  },
];
