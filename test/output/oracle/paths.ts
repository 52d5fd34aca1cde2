/** The paths of output, as the spec tells them apart. */

export const PATH_NAMES = ['feed', 'similar', 'next', 'together', 'popular', 'search', 'suggest'] as const;
export type PathName = (typeof PATH_NAMES)[number];

export interface Path {
  name: PathName;
  url: string;
  /** What the answer is about. */
  subject: 'nothing' | 'item' | 'session' | 'cart' | 'query';
  /** Whether seen items may come, where the request says nothing. */
  includesSeen: boolean;
  /** An author's items on a page, where the request says nothing; null: as many as there are. */
  perAuthor: number | null;
  /** Whether something has to come as long as anything may: there is always something new or popular. */
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
