import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { hasStatus } from '../api/errors.ts';
import { isPeriod, type Period } from '../api/overview.ts';
import { meQuery } from '../api/session.ts';
import { PageError, PageMissing, PagePending } from './page-states.tsx';
import { Shell } from './shell.tsx';

interface Context {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Outlet });

/** A text of the address, or nothing. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { return_to?: string } => ({ return_to: textOf(search.return_to) }),
}).lazy(() => import('../features/sign-in/sign-in-page.tsx').then(({ page }) => page));

/** All pages behind the sign-in. An ended session leads there, and back to the same address. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  async beforeLoad({ context, location }) {
    try {
      return { me: await context.queries.ensureQueryData(meQuery) };
    } catch (error) {
      if (hasStatus(error, 401)) throw redirect({ to: '/sign-in', search: { return_to: location.href } });
      throw error;
    }
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: ({ period }): { period?: Period } => (isPeriod(period) ? { period } : {}),
}).lazy(() => import('../features/overview/overview-page.tsx').then(({ page }) => page));

/** Any other address: said within the frame, so that the menu leads on. */
const otherRoute = createRoute({ getParentRoute: () => signedIn, path: '$', component: PageMissing });

/** The parts in all their states; only while the dashboard is developed, or if it is built with `VITE_GALLERY=1`. */
const galleryRoutes =
  import.meta.env.DEV || import.meta.env.VITE_GALLERY
    ? [
        createRoute({ getParentRoute: () => root, path: '/gallery' }).lazy(() =>
          import('../features/gallery/gallery-page.tsx').then(({ page }) => page),
        ),
      ]
    : [];

const routes = root.addChildren([signInRoute, ...galleryRoutes, signedIn.addChildren([otherRoute, overviewRoute])]);

export const createDashboardRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: routes,
    basepath: '/dashboard',
    context: { queries },
    defaultPreload: 'intent',
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: PageMissing,
    scrollRestoration: true,
  });
