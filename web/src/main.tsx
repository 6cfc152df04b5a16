import './styles/main.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { call } from './data/hub.ts';
import { queryClient } from './data/queries.ts';
import { enter } from './data/session.ts';
import { Toasts } from './kit/toasts.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

await enter(
  (code) => call('exchangeLogin', { body: { code } }),
  () => call('status', {}),
);

createRoot(root).render(
  <StrictMode>
    {/* The page's policy allows no inline styles; the few that components would add are in main.css. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
