/**
 * The words of this code base. One word means one thing, in names, tables, logs and docs alike.
 *
 * - **tenant**: who owns data; a *project* on the content side, a *site* on the analytics side.
 * - **item**: a catalogue object of a project, named by the integrator's own id.
 * - **medium** (plural *media*): one video, audio or image of an item; keeps its `medium_id` while
 *   its kind, url and version stay the same, whatever its position.
 * - **step**: one of prepare, speech, vision, summary, embedding.
 * - **revision**: a number of an item that grows with each write that outdates a step; a step
 *   carries the revision that outdated it last, and a result computed for another one is dropped.
 * - **plan**: which steps of an item still have to run, read from the database by the workflow.
 * - **deferred**: put off by the service itself, to be tried again by a durable timer.
 * - **delivery**: one event for one webhook, whatever number of attempts it takes.
 * - **attempt**: one HTTP request of a delivery.
 * - **lane**: who makes the next attempt: the webhook worker (`first`) or a workflow (`retry`).
 * - **job**: work that one workflow does once: orders to expand, a user to link or delete, an import,
 *   a rerun; its row lives until the work is done.
 * - **chunk**: as much of a job as one transaction does. A *search chunk* is something else: a piece
 *   of an item's text with its vector.
 * - **pass**: one go through everything that is stored of a person, chunk by chunk; linking and
 *   deleting a user take two.
 * - **unit**: what analysis volume is counted in: 1,000 characters, a minute, an image; a step *waits*
 *   when its project has none left this month.
 * - **subject**: what the analysis of is counted once, whatever steps read it: the text of an item, or
 *   one medium. (Of events: an identity, an item and a type.)
 * - **reservation**: units that a subject holds at one revision, from the plan to the end of its steps.
 * - **rerun**: new analysis of what a project has already.
 * - **identity**: an end user as we know them, behind the identifiers of one person or device; a
 *   deletion ends its *generation*, and the next event opens a new one.
 * - **fact**: an event that is kept as a row of its own; of the modes `max` and `state` only the one
 *   that counts is kept, of impressions the number.
 * - **window**: the seconds within which a second fact of the same person, item and type is a duplicate.
 * - **cabinet user**: a person who logs in and manages; has a *role* and a *scope* (projects and sites).
 * - **outbox**: rows that name work for Temporal, written with the change that asks for it.
 * - **relay**: the process that hands outbox rows to Temporal.
 * - **reconciler**: finds work that should run and does not, and puts it back into the outbox.
 * - **blob**: a file in the blob store, named by its key: what the analysis leaves (audio, frames,
 *   subtitles), and the file of an import.
 *
 * Of the analytics side:
 *
 * - **hit**: one thing that a visitor did, as the tag sends it (an *event* until it is ingested); rows
 *   of hits are never changed.
 * - **visitor**: a browser, by the UUID of its cookie; **user**: the site's own id of a person; **person**:
 *   the user when the visitor is linked to one, else the visitor.
 * - **visit**: hits of a visitor without a pause of over 30 minutes and without a new source between them.
 * - **source**: where a visit came from; the *significant* ones are all but direct, internal, saved and
 *   unknown.
 * - **goal**: what a site counts; **conversion**: a goal reached once.
 * - **fact** (of a site): a conversion, an order or a line of one, attributed to a visit; it is *pending*
 *   while hits that may begin its visit are being ingested.
 * - **inbox**: batches of the tag that were answered and are not ingested yet.
 * - **ingest**: the process that folds the inbox into visits; **shard**: the sites that one loop of it
 *   works on at a time.
 * - **lake**: Parquet files with a catalogue, which reports read; **staged**: on the way there;
 *   **settled**: there as it is now.
 * - **audience**: what holds of a site's people, each value with its *source*: `user` (told of the user),
 *   `site` (told by the site's server) or `network` (known to other sites that share); *told* is what was
 *   stored, *held* what is left of it by precedence.
 * - **topic**: an interest of the dictionary; *sensitive* ones stay at the site that was told them.
 * - **export**: a report as a file.
 * - **bucket** (of a visitor): 0–9999, by which quotas and reports keep whole visitors.
 */
export {};
