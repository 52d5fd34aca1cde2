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
 * - **unit**: what analysis volume is counted in: 1,000 characters, a minute, an image; a step *waits*
 *   when its project has none left this month.
 * - **rerun**: new analysis of what a project has already.
 * - **identity**: an end user as we know them, behind the identifiers of one person or device; a
 *   deletion ends its *generation*, and the next event opens a new one.
 * - **cabinet user**: a person who logs in and manages; has a *role* and a *scope* (projects and sites).
 * - **outbox**: rows that name work for Temporal, written with the change that asks for it.
 * - **relay**: the process that hands outbox rows to Temporal.
 * - **reconciler**: finds work that should run and does not, and puts it back into the outbox.
 * - **blob**: a file that the analysis leaves (audio, frames, subtitles), named by its key.
 */
export {};
