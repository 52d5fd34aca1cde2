/** The page that the visitor sees: its address, its referrer and its title. */
import { pageUrl } from './address.ts';
import type { TagEvent } from '../data/event.ts';
import { TITLE_MAX_LENGTH } from '../../../domain/collect/tagEventLimits.ts';
import { cut } from '../data/storableText.ts';

export interface Page {
  url: string;
  referrer: string;
  /** The page view, until it is sent: its title may still change. */
  view: TagEvent | null;
  title: string;
}

export function firstPage(): Page {
  return { url: pageUrl(location.href), referrer: document.referrer, view: null, title: document.title };
}

/**
 * Updates the title: a single-page application sets it some time after the address, so until the next address it
 * belongs to this page.
 */
export function refreshTitle(page: Page): void {
  page.title = document.title;
  if (page.view) page.view.title = cut(page.title, TITLE_MAX_LENGTH);
}

/** Runs `work` so that an error of the tag never reaches the page. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // the site's owner could do nothing about it on the visitor's device
  }
}
