/** The tag of one site on one page: turns what happens into events to send. */
import { trackEngagement, type Engagement } from './page/scrollAndPings.ts';
import type { Device, EventFields, EventType, Params, TagEvent } from './data/event.ts';
import { watchInteractions } from './page/interactions.ts';
import { stringify } from './data/json.ts';
import { viewport } from './page/layout.ts';
import { ADDRESS_MAX_LENGTH, EVENT_PARAMS_MAX_BYTES, TITLE_MAX_LENGTH } from '../../domain/collect/tagEventLimits.ts';
import type { Options } from './data/options.ts';
import { createSendQueue, type SendQueue } from './sending/sendQueue.ts';
import { firstPage, quietly, refreshTitle, type Page } from './page/page.ts';
import { watchAddress } from './page/watchAddress.ts';
import { isRecord } from '../../domain/isRecord.ts';
import { readParams } from './data/params.ts';
import { createRecording, type RecordingHost } from './recording.ts';
import { readSession } from './recordingSession.ts';
import { createStore } from './sending/unsentEvents.ts';
import { cut } from './data/storableText.ts';
import { beacon, openStorage, post } from './sending/transport.ts';
import { newUuid, openVisitor, type Visitor } from './visitorCookie.ts';
import { pageUrl } from './page/address.ts';

export interface TrackerSettings {
  key: string;
  options: Options;
  /** Address of tag.js; hits are sent to its origin. */
  scriptUrl: string;
  nonce: string;
  host: RecordingHost;
}

/** Fields that svc('hit') accepts about its page. */
export interface ViewFields {
  url?: string;
  title?: string;
  referrer?: string;
  params?: Params;
}

export class Tracker {
  readonly #settings: TrackerSettings;
  readonly #visitor: Visitor;
  readonly #queue: SendQueue;
  readonly #attention: Engagement;
  #page: Page = firstPage();
  /** Address of the last page view; null before the first one. */
  #viewed: string | null = null;
  #last = 0;

  constructor(settings: TrackerSettings) {
    this.#settings = settings;
    this.#visitor = openVisitor();
    this.#queue = this.#createSendQueue();
    const report = this.report.bind(this);
    const { options } = settings;
    this.#attention = trackEngagement(report, options, () => Date.now() - this.#last);
    this.#attention.begin();
    watchInteractions({ report, options, domain: this.#visitor.domain });
    if (options.pageviews) this.#sendView({ ...this.#page, title: document.title, ...automaticParams(options) });
    watchAddress(() => this.#onAddressChange());
    this.#watchLeaving();
  }

  get visitorId(): string {
    return this.#visitor.id();
  }

  report(type: EventType, fields: Partial<EventFields>): TagEvent {
    this.#last = Date.now();
    const event: TagEvent = {
      id: newUuid(),
      at: new Date(this.#last).toISOString(),
      type,
      url: this.#page.url,
      ...fields,
    };
    if (type !== 'ping' && event.title === undefined && this.#page.title !== '')
      event.title = cut(this.#page.title, TITLE_MAX_LENGTH);
    this.#queue.add(event);
    return event;
  }

  /**
   * Handles svc('hit'), which always counts, whatever was counted before. An address on another host, for which the
   * server would refuse the batch, is replaced by this page's.
   */
  hit({ url: address, title, referrer, params }: ViewFields): void {
    const target = new URL(address ?? '', location.href);
    const url = pageUrl(target.hostname === location.hostname && address !== undefined ? target.href : location.href);
    this.#changePage(url);
    const fields = { url, title: title ?? document.title, referrer: referrer ?? this.#page.referrer };
    this.#sendView(params ? { ...fields, params } : fields, title !== undefined);
  }

  /** Handles an address that changed without a page load, and a page that is shown again. */
  #onAddressChange(): void {
    this.#changePage(pageUrl(location.href));
    if (!this.#settings.options.pageviews) return;
    this.#sendView({
      url: this.#page.url,
      title: document.title,
      referrer: this.#page.referrer,
      ...automaticParams(this.#settings.options),
    });
  }

  /** Ends the current page and begins another. */
  #changePage(url: string): void {
    refreshTitle(this.#page);
    this.#attention.leave();
    if (url !== this.#page.url)
      this.#page = { url, referrer: this.#viewed ?? this.#page.referrer, view: null, title: document.title };
    this.#attention.begin();
  }

  #sendView({ url, title, referrer, params }: ViewFields, hasOwnTitle = false): void {
    this.#visitor.renew();
    const fields: Partial<EventFields> = viewport();
    if (url !== undefined) fields.url = url;
    if (title) fields.title = cut(title, TITLE_MAX_LENGTH);
    if (referrer) fields.referrer = cut(referrer, ADDRESS_MAX_LENGTH);
    const kept = readParams(params, EVENT_PARAMS_MAX_BYTES);
    if (kept) fields.params = kept;
    this.#viewed = this.#page.url;
    const event = this.report('pageview', fields);
    this.#page.view = hasOwnTitle ? null : event;
  }

  #createSendQueue(): SendQueue {
    const { key, scriptUrl, options } = this.#settings;
    const url = new URL('collect', scriptUrl).href;
    const recording = this.#createRecording();
    return createSendQueue({
      store: createStore(this.#visitor.hasCookies ? openStorage() : null, `_svc_q_${key}`),
      visitorId: this.#visitor.id,
      envelope: (visitorId, events) =>
        stringify({ key, visitor_id: visitorId, sent_at: new Date().toISOString(), device: deviceNow(), events }),
      post: (body) => post(url, body),
      beacon: (body) => beacon(url, body),
      isOnline: () => navigator.onLine !== false,
      later: (work, ms) => setTimeout(() => quietly(work), ms),
      cancel: (timer) => clearTimeout(timer as number),
      now: Date.now,
      random: Math.random,
      beforeSend: () => {
        refreshTitle(this.#page);
        this.#page.view = null;
      },
      onAccepted: (body) => {
        if (options.recording) quietly(() => recording.onAnswer(isRecord(body) ? body : {}));
      },
    });
  }

  #createRecording() {
    const { key, scriptUrl, nonce, host } = this.#settings;
    return createRecording({
      key,
      nonce,
      host,
      url: new URL('collect/recordings', scriptUrl).href,
      scriptUrl: new URL('tag-record.js', scriptUrl).href,
      visitorId: this.#visitor.id,
      startedRecordingId: () => readSession(Date.now(), this.visitorId)?.id,
    });
  }

  /**
   * Watches for the end of the page view. "Hidden" is the last event that phones fire; a page that returns from the
   * back-forward cache is seen again.
   */
  #watchLeaving(): void {
    const leave = (isFinal: boolean): void =>
      quietly(() => {
        this.#attention.leave();
        this.#queue.leave(isFinal);
      });
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) leave(false);
    });
    addEventListener('pagehide', () => leave(true));
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) quietly(() => this.#onAddressChange());
    });
    addEventListener('online', () => quietly(() => this.#queue.retry()));
    // Sends what an earlier page could not.
    this.#queue.flush();
  }
}

function automaticParams({ params }: Options): { params?: Params } {
  return params === null ? {} : { params };
}

function deviceNow(): Device {
  return {
    screen: `${screen.width}x${screen.height}`,
    window: `${innerWidth}x${innerHeight}`,
    language: String(navigator.language).slice(0, 64),
    timezone: String(Intl.DateTimeFormat().resolvedOptions().timeZone).slice(0, 64),
  };
}
