/** The users that the signed-in user manages. */
import { api, type cabinet } from '../client.ts';
import { pagesQuery } from '../paginatedList.ts';

export type User = cabinet.User;
export type Role = User['role'];

export const usersQuery = pagesQuery(['users'], (asked) => api.listUsers(asked));
