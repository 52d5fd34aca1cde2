/** The paths of output, as the specification distinguishes them. */

export const PATH_NAMES = ['feed', 'similar', 'next', 'together', 'popular', 'search', 'suggest'] as const;
export type PathName = (typeof PATH_NAMES)[number];

export interface Path {
  name: PathName;
  url: string;
  /** The subject of the answer. */
  subject: 'nothing' | 'item' | 'session' | 'cart' | 'query';
  /** Whether seen items are included by default. */
  includesSeen: boolean;
  /** Default maximum of an author's items on a page; null means no maximum. */
  perAuthor: number | null;
  /** Whether the answer must not be empty while any item may be shown: there are always new or popular ones. */
  isNeverEmpty: boolean;
}

const recommendations = (name: PathName, others: Pick<Path, 'subject' | 'includesSeen' | 'perAuthor'>): Path => ({
  name,
  url: `/recommendations/${name}`,
  isNeverEmpty: others.subject === 'nothing',
  ...others,
});

export const PATHS: readonly Path[] = [
  recommendations('feed', { subject: 'nothing', includesSeen: false, perAuthor: 3 }),
  recommendations('similar', { subject: 'item', includesSeen: true, perAuthor: null }),
  recommendations('next', { subject: 'session', includesSeen: false, perAuthor: 3 }),
  recommendations('together', { subject: 'cart', includesSeen: true, perAuthor: null }),
  recommendations('popular', { subject: 'nothing', includesSeen: false, perAuthor: 3 }),
  { name: 'search', url: '/search', subject: 'query', includesSeen: true, perAuthor: null, isNeverEmpty: false },
  {
    name: 'suggest',
    url: '/search/suggest',
    subject: 'query',
    includesSeen: true,
    perAuthor: null,
    isNeverEmpty: false,
  },
];
