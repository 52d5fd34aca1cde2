/** Entry of the web app. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from './data/account/queryClient.ts';
import { router } from './routes/index.ts';
import { start } from './shell/start.tsx';

await start(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
