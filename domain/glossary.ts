/**
 * The words of this code base, in names, tables, logs and docs alike. A word has one meaning in each part of the
 * product (content, analytics, reports, recommendations). Where two parts use the same word, its entry gives both
 * meanings, and code that meets both says which it means: *search chunk*, *site fact*, *traffic source*.
 *
 * - **tenant**: the owner of data; a *project* on the content side, a *site* on the analytics side.
 * - **item**: a catalogue object of a project, named by the integrator's own id.
 * - **medium** (plural *media*): one video, audio or image of an item; it keeps its `medium_id` while its kind, url and
 *   version stay the same, at any position.
 * - **step**: one of prepare, speech, vision, summary, embedding. In training: an item of a session and the next one.
 * - **revision**: a number of an item that grows with each write that outdates a step; a step carries the revision that
 *   last outdated it, and a result computed for another revision is dropped.
 * - **plan**: the steps of an item that still have to run, read from the database by the workflow. In the preparation
 *   of media: what ffmpeg is to extract from a file. PostgreSQL's own plans are called *query plans*.
 * - **deferred**: postponed by the service itself, to be tried again by a durable timer.
 * - **fault**: something wrong, described as data: in a request, with the path of the field and a code; in the
 *   analysis, with what happens next, such as a retry. An *error* is what is thrown, or what an API answers.
 * - **evidence**: what the steps on an item read about it. In moderation: the passages and frames that a level is based
 *   on.
 * - **draft**: a paid answer of an unfinished step, kept for its next attempt.
 * - **tally**: how many items of a project are in one state, summed from the changes that triggers record.
 * - **delivery**: one event for one webhook, over any number of attempts.
 * - **attempt**: one HTTP request of a delivery.
 * - **backlog**: the undelivered events of a webhook. **recovery**: events that a webhook missed in some period are
 *   queued again, at a pace that does not delay new ones.
 * - **obstacle**: a reason not to send a delivery. In recommendations: a rule because of which an item is not shown.
 * - **claim**: rows that one process has taken to work on, until it is done or, for deliveries, the *lease* expires.
 * - **lane**: who makes the next attempt: the webhook worker in its turn (`first`), the same worker at once because a
 *   person asked for it (`urgent`), or a workflow (`retry`).
 * - **job**: work that one workflow does once: orders to expand, a user to link or delete, an import, a rerun, a
 *   recovery, a training; its row exists until the work is done.
 * - **chunk**: the part of a job that one transaction does. A *search chunk* is a piece of an item's text with its
 *   vector. A *chunk of a recording* is one request of the tag with a few seconds of it.
 * - **pass**: one run through all stored data of a person, chunk by chunk; linking and deleting a user take two. One
 *   reading of the rows of the lake by a report is a *scan*.
 * - **unit**: the unit of analysis volume: 1,000 characters, a minute, an image; a step *waits* when its project has
 *   none left this month.
 * - **subject**: a text or a medium whose analysis is counted once, whichever steps read it: the text of an item, or
 *   one medium. The subject of a recommendation is the item that it starts from; the subject of a signed link is the
 *   thing that it names; the subject in the ledger of deletions is the person who was deleted.
 * - **reservation**: units that a subject holds at one revision, from the plan to the end of its steps.
 * - **rerun**: new analysis of existing items of a project.
 * - **identity**: an end user behind the identifiers of one person or device; a deletion ends its *generation*, and the
 *   next event opens a new one.
 * - **fact**: an event that is stored as a row of its own; for the modes `max` and `state` only the event that counts
 *   is stored, for impressions only their number. On the analytics side: see *site fact*.
 * - **series**: the events of one identity, item and type, among which modes and windows decide which ones count.
 * - **window**: the seconds within which a second fact of the same person, item and type is a duplicate. The window of
 *   a rate limit is the time for which requests are counted; the *last window* of a training is the newest part of the
 *   data, by which a model is evaluated.
 * - **slot**: the right to do one of a limited number of tasks at a time: a medium, a report, an attempt. In
 *   recommendations and search: the number under which a catalogue keeps an item, an index into all columns of the
 *   catalogue.
 * - **turn**: the moment at which one of those that wait is chosen; turns are fair between tenants.
 * - **place**: a country, region or city; in moderation also the part and the time of an item at which evidence is. The
 *   column `place` of a person's values numbers the values of one attribute; the ranking's `places` is a number of
 *   positions.
 * - **position**: from 0, where something is in a list that a person sees: an item on a page, a medium of an item. The
 *   position of a page is what its *cursor* names. A **rank** counts from 1 over all pages; an **index** is a number in
 *   a list of the program.
 * - **context** (of a secret): what the secret belongs to; its ciphertext can be decrypted for nothing else.
 * - **cabinet user**: a person who logs in and manages; has a *role* and a *scope* (projects and sites).
 * - **outbox**: rows that name work for Temporal, written with the change that requests it.
 * - **relay**: the process that hands outbox rows to Temporal.
 * - **reconciler**: finds work that should run but does not, and puts it back into the outbox.
 * - **blob**: a file in the blob store, named by its key: the files of the analysis (audio, frames, subtitles), and the
 *   file of an import.
 *
 * In recommendations and search:
 *
 * - **catalogue**: what `selection` keeps of a project's items in memory, by slot.
 * - **picker**: chooses from scored slots those items that a question allows, until its page is full.
 * - **answer field**: a field of an item that an answer holds because the request asks for it.
 * - **bucket** (of positions): neighbouring positions that are counted together, named by the first one.
 * - **surface**: a named spot where an integrator shows recommendations, with the defaults of its requests. The
 *   operations that an API offers are not called a surface but its *definition*.
 * - **taste**: the items that a person met, each with a weight that says how much the person wants it.
 * - **companions** of an item: the items that people keep using together with it.
 * - **rotation**: moves items down that a person was shown recently and did not open.
 * - **trial**: how often a new item was shown and opened. A model *on trial* belongs to a variant of a running
 *   experiment.
 * - **lot**: the slot and the mark that a person draws in an experiment; they decide who is in its sample.
 * - **forgotten** item: one that lost events, or whose events belong to somebody else now, so that the next training
 *   solves its columns again.
 * - **fallback**: the answer to a request while `selection` cannot answer.
 * - **sketch**: 512 bits that approximate the direction of a vector, to find vectors that may be near.
 * - **item vector**: the vector by which an item is compared with others, with its norm and the model that made it.
 *
 * On the analytics side:
 *
 * - **hit**: one action of a visitor, as the tag sends it (an *event* until it is ingested); rows of hits never change.
 * - **visitor**: a browser, by the UUID of its cookie; **user**: the site's own id of a person; **person**: the user
 *   when the visitor is linked to one, else the visitor.
 * - **visit**: hits of a visitor without a pause of over 30 minutes and without a new source between them.
 * - **source**, in full *traffic source*: where a visit came from; the *significant* ones are all but direct, internal,
 *   saved and unknown. The source of a medium is its address; the source of a value of the audience is whoever sent it.
 * - **goal**: an action that a site counts; **conversion**: a goal reached once.
 * - **site fact**: a conversion, an order or a line of one, attributed to a visit; it is *pending* while hits that may
 *   begin its visit are being ingested. Its *owner* is the visitor or user who was sent with it.
 * - **inbox**: batches of the tag that were answered and are not ingested yet.
 * - **ingest**: the process that folds the inbox into visits; **shard**: the sites that one loop of it works on at a
 *   time.
 * - **lake**: Parquet files with a catalogue, which reports read. A row is **staged** while it is on the way there. A
 *   visit or a site fact is **settled** when it is complete and belongs to a batch for the lake; a **fresh** visit has a
 *   newer state in PostgreSQL than in the lake.
 * - **level**: the kind of rows that a dimension or an aggregate is about: visits, hits, conversions, orders or their
 *   lines; for dimensions also persons.
 * - **aggregate**: a sum, or a number of entities such as visitors, from which metrics are computed. Its *population* is
 *   the rows that it is computed over, where these are not the rows of the report.
 * - **sample** (of a report): the tenth of the visitors or persons that it reads when all of them would take too long.
 * - **audience**: the current values of a site's people, each with its *source*: `user` (sent about the user), `site`
 *   (sent by the site's server) or `network` (known to other sites that share); *told* values are those that were
 *   stored, *effective* values those that remain after precedence is applied.
 * - **network**: the sites that share what they know about people with the same contacts. In the collection of hits:
 *   the range of addresses that a hit came from.
 * - **proof**: the `user_hash` by which a site's server confirms that a visitor is a certain user.
 * - **mark**: a page, a click or an error in a recording.
 * - **topic**: an interest of the dictionary; *sensitive* ones stay at the site that received them.
 * - **export**: a report as a file.
 * - **engine**: a process with DuckDB that runs one report at a time, in an *engine slot*. In `tools`: an outside
 *   program that the development stack and the tests start, such as PostgreSQL.
 * - **bucket** (of a visitor): 0–9999, by which quotas and reports keep whole visitors.
 * - **weight** (of a row): the number of rows that it stands for: 10 where a quota keeps a tenth of the visitors.
 *
 * Verbs of functions:
 *
 * - **record**: store that something was seen or has happened.
 * - **delete**: end the existence of rows. **purge**: delete what is left of something that is already unreachable, such
 *   as a deleted person or webhook. **discard**: give files to the garbage, from which the relay removes them later.
 *   **remove**: take away files, or one element of a structure in memory.
 * - **evict**: take an entry out of a cache, to free memory or because it is outdated. **invalidate**: make a whole cache
 *   look everything up again.
 */
export {};
