/** Pages of the cabinet's lists, as of every list. */
export { DEFAULT_LIMIT, pageQuery, readCursor, toPage } from '../http/paging.ts';
