/** Classifies where a hit came from. docs/decisions/traffic-sources.md explains the order of the rules. */
import type { SourceType, TrafficSource } from '../../../domain/sites/trafficSource.ts';
import { parseAddress } from './address.ts';
import { channelOf, type Channel } from './channels.ts';
import { findAdSystem, findSource, type ListedSource } from './findInLists.ts';
import { isSavedPage, readReferrer, type Referrer } from './referrer.ts';
import { readTags, type Tags } from './utmAndClickIds.ts';

export interface SourceInput {
  /** Address of the page. */
  url: string;
  referrer: string | null;
  /** The site's own hosts, from its settings. */
  hosts: readonly string[];
  /** Referrers from its settings that do not start a new visit. */
  ignoredReferrers: readonly string[];
}

interface Verdict {
  type: SourceType;
  name: string | null;
  phrase?: string | null;
  adSystem?: string | null;
}

/** Classifies the source of a hit. Pure and bounded: addresses over 2,048 characters are not read. */
export function classifySource({ url, referrer: referrerText, hosts, ignoredReferrers }: SourceInput): TrafficSource {
  const page = parseAddress(url);
  const tags = readTags(page);
  const referrer = readReferrer(referrerText, page, { hosts, ignored: ignoredReferrers });
  const byTags = isSavedPage(page) ? { type: 'saved' as const, name: null } : verdictOfTags(tags, referrer);
  return describe(byTags ?? verdictOfReferrer(referrer, tags), tags, referrer);
}

/** Returns null when the address does not say who sent the visitor. */
function verdictOfTags(tags: Tags, referrer: Referrer): Verdict | null {
  const { utm_source: source, utm_medium: medium } = tags.utm;
  if (tags.click?.type === 'ad') return verdictOfPaid(tags, referrer);
  if (source === null && medium === null) return null;
  const named = source === null ? null : findSource(source);
  const channel = channelOf(medium) ?? (named === null ? channelOf(source) : null);
  if (channel === 'ad') return verdictOfPaid(tags, referrer);
  const known = named ?? listed(referrer);
  if (channel === null || channel === 'referral')
    return known === null ? campaign(channel, tags, referrer) : verdictOf(known, referrer);
  // For email the mailing counts, not the service in which it was read.
  return verdictOfChannel(channel, channel === 'email' && source !== null ? named : known, source, referrer);
}

/**
 * Returns the type that the medium names. The name is the known service when it has that type, otherwise the name in
 * the link.
 */
function verdictOfChannel(
  channel: Channel,
  known: ListedSource | null,
  source: string | null,
  referrer: Referrer,
): Verdict {
  if (known?.type === channel) return verdictOf(known, referrer);
  return { type: channel, name: source, phrase: null };
}

/** Returns the verdict for a link that the site itself marked. It paid for the link unless the medium is `referral`. */
function campaign(channel: Channel | null, tags: Tags, referrer: Referrer): Verdict {
  if (channel === null) return verdictOfPaid(tags, referrer);
  return { type: 'referral', name: tags.utm.utm_source ?? externalDomain(referrer) };
}

function verdictOfPaid(tags: Tags, referrer: Referrer): Verdict {
  const adSystem = adSystemOf(tags, referrer);
  return { type: 'ad', name: tags.utm.utm_source ?? adSystem ?? externalDomain(referrer), adSystem };
}

function adSystemOf({ click, utm }: Tags, referrer: Referrer): string | null {
  if (click?.type === 'ad') return click.name;
  const named = utm.utm_source === null ? null : findAdSystem(utm.utm_source);
  if (named !== null) return named;
  const from = listed(referrer);
  if (from?.type === 'ad') return from.name;
  // fbclid and similar ids mean the service's advertising here, because another mark says that the click was paid.
  return click === null ? null : findAdSystem(click.name);
}

function verdictOfReferrer(referrer: Referrer, { click }: Tags): Verdict {
  switch (referrer.kind) {
    // Such ids are copied along with addresses and outlive their visit, so a referrer is more reliable.
    case 'none':
      return click === null ? { type: 'direct', name: null } : { type: click.type, name: click.name };
    case 'unreadable':
      return { type: 'unknown', name: null };
    case 'saved':
      return { type: 'saved', name: null };
    case 'internal':
      return { type: 'internal', name: referrer.domain };
    // A visitor who returns from paying or signing in keeps the source that led to the site.
    case 'passing':
      return { type: 'direct', name: null };
    case 'site':
      return { type: 'referral', name: referrer.domain };
    case 'listed':
      return verdictOf(referrer.found, referrer);
  }
}

function verdictOf(found: ListedSource, referrer: Referrer): Verdict {
  const isFromIt = referrer.kind === 'listed' && referrer.found === found;
  return {
    type: found.type,
    name: found.name,
    phrase: isFromIt ? referrer.phrase : null,
    adSystem: found.type === 'ad' ? found.name : null,
  };
}

function listed(referrer: Referrer): ListedSource | null {
  return referrer.kind === 'listed' ? referrer.found : null;
}

function externalDomain(referrer: Referrer): string | null {
  return referrer.kind === 'site' || referrer.kind === 'listed' ? referrer.domain : null;
}

function describe(
  { type, name, phrase = null, adSystem = null }: Verdict,
  { utm, clickId }: Tags,
  referrer: Referrer,
): TrafficSource {
  const nameIf = (wanted: SourceType) => (type === wanted ? name : null);
  // When the address names an outside source, a page of the site itself or one that the visitor only passed through is
  // not the referrer.
  const isOnTheWay = referrer.kind === 'internal' || referrer.kind === 'passing';
  const isShown = 'domain' in referrer && (!isOnTheWay || type === 'internal' || type === 'direct');
  return {
    source_type: type,
    source_name: name,
    search_engine: nameIf('organic'),
    search_phrase: phrase,
    social_network: nameIf('social'),
    messenger: nameIf('messenger'),
    ai_assistant: nameIf('ai_assistant'),
    ad_system: adSystem,
    referrer_domain: isShown ? referrer.domain : null,
    referrer_url: isShown ? referrer.url : null,
    ...utm,
    click_id: clickId,
  };
}
