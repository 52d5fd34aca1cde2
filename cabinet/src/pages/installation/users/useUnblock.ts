import { useMutation } from '@tanstack/react-query';
import { api } from '../../../data/client.ts';
import { queryClient } from '../../../data/account/queryClient.ts';
import { usersQuery, type User } from '../../../data/account/users.ts';

/** Returns a mutation that unblocks a user. */
export function useUnblock() {
  return useMutation({
    mutationFn: ({ id }: User) => api.patchUser({ path: { id }, body: { state: 'active' } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
}
