import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createQueryClient } from '../api/query-client.ts';
import { meQuery } from '../api/session.ts';
import { startTexts } from '../i18n/i18n.ts';
import { ToastRegion } from '../ui/toast.tsx';
import { createDashboardRouter } from './router.tsx';

const texts = startTexts();
const queries = createQueryClient(() => {
  queries.removeQueries({ queryKey: meQuery.queryKey });
  // Loads the route again, which leads to the sign-in and from there back to this page.
  void router.invalidate();
});
const router = createDashboardRouter(queries);

export const Application = () => (
  <I18nProvider i18n={texts}>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <ToastRegion />
    </QueryClientProvider>
  </I18nProvider>
);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
