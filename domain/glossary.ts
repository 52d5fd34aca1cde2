/**
 * The words of this code base. One word has one meaning, in names, tables, logs and docs alike.
 *
 * - **tenant**: the owner of data; a *project* on the content side, a *site* on the analytics side.
 * - **item**: a catalogue object of a project, named by the integrator's own id.
 * - **medium** (plural *media*): one video, audio or image of an item; it keeps its `medium_id` while its kind, url and
 *   version stay the same, at any position.
 * - **step**: one of prepare, speech, vision, summary, embedding.
 * - **revision**: a number of an item that grows with each write that outdates a step; a step carries the revision that
 *   last outdated it, and a result computed for another revision is dropped.
 * - **plan**: the steps of an item that still have to run, read from the database by the workflow.
 * - **deferred**: postponed by the service itself, to be tried again by a durable timer.
 * - **delivery**: one event for one webhook, over any number of attempts.
 * - **attempt**: one HTTP request of a delivery.
 * - **lane**: the process that makes the next attempt: the webhook worker (`first`) or a workflow (`retry`).
 * - **job**: work that one workflow does once: orders to expand, a user to link or delete, an import, a rerun; its row
 *   exists until the work is done.
 * - **chunk**: the part of a job that one transaction does. A *search chunk* is something else: a piece of an item's
 *   text with its vector.
 * - **pass**: one run through all stored data of a person, chunk by chunk; linking and deleting a user take two.
 * - **unit**: the unit of analysis volume: 1,000 characters, a minute, an image; a step *waits* when its project has
 *   none left this month.
 * - **subject**: a text or a medium whose analysis is counted once, whichever steps read it: the text of an item, or
 *   one medium. (Of events: an identity, an item and a type.)
 * - **reservation**: units that a subject holds at one revision, from the plan to the end of its steps.
 * - **rerun**: new analysis of existing items of a project.
 * - **identity**: an end user behind the identifiers of one person or device; a deletion ends its *generation*, and the
 *   next event opens a new one.
 * - **fact**: an event that is stored as a row of its own; for the modes `max` and `state` only the event that counts
 *   is stored, for impressions only their number.
 * - **window**: the seconds within which a second fact of the same person, item and type is a duplicate.
 * - **cabinet user**: a person who logs in and manages; has a *role* and a *scope* (projects and sites).
 * - **outbox**: rows that name work for Temporal, written with the change that requests it.
 * - **relay**: the process that hands outbox rows to Temporal.
 * - **reconciler**: finds work that should run but does not, and puts it back into the outbox.
 * - **blob**: a file in the blob store, named by its key: the files of the analysis (audio, frames, subtitles), and the
 *   file of an import.
 *
 * On the analytics side:
 *
 * - **hit**: one action of a visitor, as the tag sends it (an *event* until it is ingested); rows of hits never change.
 * - **visitor**: a browser, by the UUID of its cookie; **user**: the site's own id of a person; **person**: the user
 *   when the visitor is linked to one, else the visitor.
 * - **visit**: hits of a visitor without a pause of over 30 minutes and without a new source between them.
 * - **source**: where a visit came from; the *significant* ones are all but direct, internal, saved and unknown.
 * - **goal**: an action that a site counts; **conversion**: a goal reached once.
 * - **fact** (of a site): a conversion, an order or a line of one, attributed to a visit; it is *pending* while hits
 *   that may begin its visit are being ingested.
 * - **inbox**: batches of the tag that were answered and are not ingested yet.
 * - **ingest**: the process that folds the inbox into visits; **shard**: the sites that one loop of it works on at a
 *   time.
 * - **lake**: Parquet files with a catalogue, which reports read; **staged**: on the way to the lake; **settled**: in
 *   the lake in its present state.
 * - **audience**: the current values of a site's people, each with its *source*: `user` (sent about the user), `site`
 *   (sent by the site's server) or `network` (known to other sites that share); *told* values are those that were
 *   stored, *held* ones those that are left by precedence.
 * - **topic**: an interest of the dictionary; *sensitive* ones stay at the site that received them.
 * - **export**: a report as a file.
 * - **bucket** (of a visitor): 0–9999, by which quotas and reports keep whole visitors.
 */
export {};
